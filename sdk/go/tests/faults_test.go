package tests

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

func Test_a_match_continues_after_its_server_was_killed(t *testing.T) {
	for _, phase := range []string{"while a bot thinks", "at any moment"} {
		t.Run(phase, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			reached, restarted := make(chan struct{}), make(chan struct{})
			bot := &recorder{}
			decided := 0
			bot.choose = func(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
				if decided++; decided == 8 {
					close(reached)
					if phase == "while a bot thinks" {
						<-restarted
					}
				}
				return first(ctx, turn)
			}
			options := []azulejo.Option{azulejo.WithMatches(1), azulejo.WithRulesets(azulejo.SummerPavilion(azulejo.Colored, 2))}
			other := &recorder{}
			mine := play(t, s, s.register(t, "one"), bot, options...)
			theirs := play(t, s, s.register(t, "two"), other, options...)
			await(t, reached)
			s.kill()
			if err := s.start(); err != nil {
				t.Fatal(err)
			}
			close(restarted)
			mine.mustEnd()
			theirs.mustEnd()
			if len(bot.ended) != 1 || len(other.ended) != 1 {
				t.Fatalf("%d and %d matches ended", len(bot.ended), len(other.ended))
			}
			finished(t, bot.ended[0])
			finished(t, other.ended[0])
			for turn, times := range bot.asked {
				if times != 1 {
					t.Errorf("turn %s was asked for %d times", turn, times)
				}
			}
			if mine.log.count("stream ended, reconnecting") == 0 {
				t.Error("the bot did not reconnect: the server was not killed during the match")
			}
		})
	}
}

func await(t *testing.T, event <-chan struct{}) {
	t.Helper()
	select {
	case <-event:
	case <-time.After(patience):
		t.Fatal("not reached in time")
	}
}

// patientBot is the main function if a test starts this program as a bot: it prints each turn and waits
// for a line before it answers.
func patientBot() {
	lines := make(chan string)
	go func() {
		for input := bufio.NewScanner(os.Stdin); input.Scan(); {
			lines <- input.Text()
		}
	}()
	choose := func(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
		fmt.Println("turn", turn.GetMatchId(), turn.GetTurn())
		select {
		case <-lines:
			return first(ctx, turn)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	ruleset, err := azulejo.ParseRuleset(os.Getenv("AZULEJO_TEST_BOT"))
	if err != nil {
		panic(err)
	}
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRulesets(ruleset), azulejo.WithTimeClasses(azulejo.Rapid))
}

type process struct {
	t       *testing.T
	command *exec.Cmd
	input   io.Writer
	lines   chan string
}

// startBot starts patientBot in a new process, which ends with the test.
func startBot(t *testing.T, s *server, token, ruleset string) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return startProcess(t, exec.Command(self), "AZULEJO_TEST_BOT="+ruleset, "AZULEJO_SERVER="+s.url(), "AZULEJO_TOKEN="+token)
}

func startProcess(t *testing.T, command *exec.Cmd, environment ...string) *process {
	t.Helper()
	command.Env = append(os.Environ(), environment...)
	log := newLogbook()
	command.Stderr = log
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
		if t.Failed() {
			t.Logf("log of a bot:\n%s", log.text.String())
		}
	})
	made := &process{t: t, command: command, input: input, lines: make(chan string, 10_000)}
	go func() {
		defer close(made.lines)
		for scanner := bufio.NewScanner(output); scanner.Scan(); {
			made.lines <- scanner.Text()
		}
	}()
	return made
}

// turn returns the next turn that the bot prints: match and number.
func (p *process) turn() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if ok && strings.HasPrefix(line, "turn ") {
			return line
		}
		p.t.Fatalf("the bot printed %q", line)
	case <-time.After(patience):
		p.t.Fatal("the bot printed nothing")
	}
	return ""
}

func (p *process) answer() {
	p.t.Helper()
	if _, err := io.WriteString(p.input, "go\n"); err != nil {
		p.t.Fatal(err)
	}
}

func Test_a_killed_bot_continues_its_match_when_it_is_restarted(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	token := s.register(t, ownerOf(t, "a"))
	const key = "azul-gray-3"
	ruleset, _ := azulejo.ParseRuleset(key)
	others := []*recorder{{}, {}}
	var playing []*running
	for index, other := range others {
		playing = append(playing, play(t, s, s.register(t, ownerOf(t, string(rune('b'+index)))), other,
			azulejo.WithMatches(1), azulejo.WithRulesets(ruleset), azulejo.WithTimeClasses(azulejo.Rapid)))
	}
	bot := startBot(t, s, token, key)
	for range 3 {
		bot.turn()
		bot.answer()
	}
	due := bot.turn()
	_ = bot.command.Process.Kill()
	_ = bot.command.Wait()
	again := startBot(t, s, token, key)
	if asked := again.turn(); asked != due {
		t.Fatalf("the turn was %q, then %q", due, asked)
	}
	again.answer()
	go func() {
		for range again.lines {
			_, _ = io.WriteString(again.input, "go\n")
		}
	}()
	for index, other := range others {
		playing[index].mustEnd()
		finished(t, other.ended[0])
		for _, seat := range other.ended[0].GetMatch().GetResult().GetSeats() {
			if seat.GetEndReason() != arenav1.EndReason_END_REASON_FINISHED {
				t.Errorf("a seat ended by %v", seat.GetEndReason())
			}
		}
	}
}

func Test_a_bot_stops_cleanly_on_a_signal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := sharedServer(t)
			key := map[syscall.Signal]string{syscall.SIGTERM: "azul-colored-2", syscall.SIGINT: "summer-pavilion-colored-2"}[signal]
			ruleset, _ := azulejo.ParseRuleset(key)
			token := s.register(t, ownerOf(t, "a"))
			other := play(t, s, s.register(t, ownerOf(t, "b")), &recorder{}, azulejo.WithRulesets(ruleset), azulejo.WithTimeClasses(azulejo.Rapid))
			bot := startBot(t, s, token, key)
			bot.turn()
			bot.answer()
			bot.turn()
			if err := bot.command.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			for range bot.lines { // To the end of its output.
			}
			if err := bot.command.Wait(); err != nil {
				t.Errorf("it ended with %v", err)
			}
			other.stop()
			other.mustEnd()
		})
	}
}
