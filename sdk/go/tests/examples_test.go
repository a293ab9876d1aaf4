package tests

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"
)

// build compiles an example and returns the path of the program.
func build(t *testing.T, name string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), name)
	run(t, "..", nil, "go", "build", "-o", program, "./examples/"+name)
	return program
}

func Test_every_example_plays_a_rated_match(t *testing.T) {
	for _, example := range []struct{ name, ruleset string }{
		{"random", "azul-gray-2"},
		{"greedy", "azul-colored-2"},
		{"greedy", "summer-pavilion-gray-2"},
		{"one_ply", "azul-colored-2"},
		{"one_ply", "summer-pavilion-colored-2"},
		{"mcts", "azul-colored-2"},
	} {
		t.Run(example.name+"-"+example.ruleset, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			bot := startProcess(t, exec.Command(build(t, example.name)), "AZULEJO_SERVER="+s.url(), "AZULEJO_TOKEN=")
			playsOneMatch(t, s, bot, example.ruleset)
		})
	}
}

// The command of the README, with other games too.
func Test_one_ply_wins_against_random(t *testing.T) {
	for _, series := range []struct {
		game, board, games string
		wins               float64
	}{
		{"azul", "colored", "10", 9},
		{"azul", "gray", "6", 5},
		{"summer-pavilion", "colored", "6", 5},
		{"summer-pavilion", "gray", "6", 5},
	} {
		t.Run(series.game+"-"+series.board, func(t *testing.T) {
			t.Parallel()
			printed := run(t, ".", nil, must(filepath.Abs(binary())), "match", build(t, "one_ply"), "random",
				"--games", series.games, "--game", series.game, "--board", series.board, "--json")
			var result struct{ Bots []struct{ Wins float64 } }
			if err := json.Unmarshal([]byte(printed), &result); err != nil || len(result.Bots) != 2 {
				t.Fatalf("%v: %s", err, printed)
			}
			if wins := result.Bots[0].Wins; wins < series.wins {
				t.Errorf("%v wins of %s", wins, series.games)
			}
		})
	}
}
