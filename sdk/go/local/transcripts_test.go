package local_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

// choices chooses moves: the same ones in every language, see tests/play/transcript.rs.
type choices uint64

func (c *choices) below(count int) int {
	*c = *c*6364136223846793005 + 1442695040888963407
	return int(uint64(*c>>33) % uint64(count))
}

func (c *choices) of(legal []uint16) int { return int(legal[c.below(len(legal))]) }

func open(t testing.TB) *local.Engine {
	t.Helper()
	engine, err := local.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Err(); err != nil {
			t.Error(err)
		}
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func digest(t *testing.T, engine *local.Engine, ruleset string) string {
	hash := sha256.New()
	for seed := range uint64(200) {
		game := must(engine.New(ruleset, local.ArenaSeed(seed)))
		chosen := choices(seed)
		for !game.IsTerminal() {
			fmt.Fprintf(hash, "%s\n", game.Text())
			hash.Write(game.Mask())
			hash.Write(must(game.Observe(game.CurrentPlayer())))
			fmt.Fprintf(hash, "%016x", game.Hash())
			check(t, game.Apply(chosen.of(game.Legal())))
		}
		scores := make([]string, game.Players())
		for seat, score := range game.Scores() {
			scores[seat] = strconv.Itoa(score)
		}
		fmt.Fprintf(hash, "%s\n%s\n", game.Text(), strings.Join(scores, ","))
		game.Close()
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

func Test_two_hundred_games_of_each_ruleset_have_the_digest_that_all_SDKs_expect(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../service/play/tests/transcripts.json")
	check(t, err)
	var transcripts map[string]string
	check(t, json.Unmarshal(text, &transcripts))
	engine := open(t)
	rulesets := engine.Rulesets()
	if len(rulesets) != 12 || len(transcripts) != len(rulesets) {
		t.Fatalf("%d rulesets, %d digests", len(rulesets), len(transcripts))
	}
	for _, ruleset := range rulesets {
		if found := digest(t, engine, ruleset); found != transcripts[ruleset] {
			t.Errorf("%s: %s", ruleset, found)
		}
	}
	if living := engine.Living(); living != 0 {
		t.Errorf("%d games are left", living)
	}
}
