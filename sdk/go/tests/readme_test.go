package tests

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
)

const module = "github.com/azulejo-arena/azulejo/sdk/go"

// run runs a command in a folder. Its output is shown only if it fails.
func run(t *testing.T, folder string, environment []string, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Dir, command.Env = folder, append(os.Environ(), environment...)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(arguments, " "), err, output)
	}
	return strings.TrimSpace(string(output))
}

// firstBot is the first Go program of the README.
func firstBot(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "```go\n")
	program, _, closed := strings.Cut(after, "```")
	if !found || !closed || !strings.HasPrefix(program, "package main") {
		t.Fatal("the README does not begin with a bot")
	}
	if lines := strings.Count(program, "\n"); lines > 10 {
		t.Fatalf("the first bot has %d lines", lines)
	}
	return program
}

// The module cache is empty. Modules come from those that were downloaded before, without a network.
func Test_the_first_bot_of_the_readme_is_built_in_an_empty_module_and_plays_a_rated_match(t *testing.T) {
	t.Parallel()
	folder, s := t.TempDir(), newServer(t)
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(firstBot(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	sdk, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	downloads := run(t, sdk, nil, "go", "env", "GOMODCACHE") + "/cache/download"
	empty := []string{
		"GOPATH=" + t.TempDir(), "GOMODCACHE=", "GOPROXY=file://" + downloads, "GOSUMDB=off",
		"GOFLAGS=-mod=mod -modcacherw -trimpath -buildvcs=false", "GOWORK=off",
	}
	run(t, folder, empty, "go", "mod", "init", "first-bot")
	run(t, folder, empty, "go", "mod", "edit", "-replace", module+"="+sdk, "-require", module+"@v0.1.0")
	run(t, folder, empty, "go", "build", "-o", "first-bot", ".")
	if unformatted := run(t, folder, nil, "gofmt", "-l", "main.go"); unformatted != "" {
		t.Error("the first bot is not formatted")
	}
	bot := startProcess(t, exec.Command(filepath.Join(folder, "first-bot")), "AZULEJO_SERVER="+s.url(), "AZULEJO_TOKEN=")
	playsOneMatch(t, s, bot, "azul-colored-2")
}

// playsOneMatch lets a bot in another process play a match against one in this process, and stops it.
func playsOneMatch(t *testing.T, s *server, bot *process, key string) {
	t.Helper()
	other := &recorder{}
	ruleset := must(azulejo.ParseRuleset(key))
	play(t, s, s.register(t, "other"), other, azulejo.WithMatches(1), azulejo.WithRulesets(ruleset)).mustEnd()
	if len(other.ended) != 1 {
		t.Fatalf("%d matches ended", len(other.ended))
	}
	finished(t, other.ended[0])
	if !other.ended[0].GetMatch().GetRated() {
		t.Error("the match was not rated")
	}
	if err := bot.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for range bot.lines { // To the end of its output.
	}
	if err := bot.command.Wait(); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
