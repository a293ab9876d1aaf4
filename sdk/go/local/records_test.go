package local_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// record is that of a game that the command line plays.
func record(t *testing.T, options ...string) string {
	t.Helper()
	program := os.Getenv("AZULEJO_BIN")
	if program == "" {
		program = "../../../target/release/azulejo"
	}
	file := filepath.Join(t.TempDir(), "game.json")
	play := exec.Command(program, append([]string{"play", "--plain", "--record", file}, options...)...)
	if output, err := play.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	text, err := os.ReadFile(file)
	check(t, err)
	return string(text)
}

func Test_the_record_of_a_game_is_verified(t *testing.T) {
	t.Parallel()
	engine := open(t)
	azul := must(engine.Verify(record(t, "greedy", "random", "--seed", "5")))
	if azul.Ruleset != "azul-colored-2" || !azul.Finished || azul.Ranks[azul.Winners[0]] != 1 {
		t.Error(azul)
	}
	pavilion := must(engine.Verify(record(t, "random", "greedy", "random", "--game", "summer-pavilion", "--board", "gray")))
	if pavilion.Ruleset != "summer-pavilion-gray-3" || len(pavilion.Scores) != 3 {
		t.Error(pavilion)
	}
}

func Test_a_changed_record_is_refused_with_its_first_defect(t *testing.T) {
	t.Parallel()
	engine := open(t)
	text := record(t, "random", "random", "--seed", "6")
	for message, change := range map[string]func(map[string]any){
		"the seed deals": func(document map[string]any) { document["seed"] = strings.Repeat("0", 64) },
		"invalid game":   func(document map[string]any) { document["game"] = document["game"].(string) + " nonsense" },
		"checksum":       func(document map[string]any) { document["checks"] = "ffff" + document["checks"].(string)[4:] },
	} {
		var document map[string]any
		check(t, json.Unmarshal([]byte(text), &document))
		change(document)
		changed := must(json.Marshal(document))
		err := second(engine.Verify(string(changed)))
		assertRefused(t, err, "FALSE_RECORD", "")
		if !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", message, err)
		}
	}
}

func Test_a_text_that_is_not_a_record_and_a_record_that_is_false_have_different_reasons(t *testing.T) {
	t.Parallel()
	engine := open(t)
	for _, text := range []string{"", "{}", "[]", "null", `{"format":"azulejo-record/9"}`} {
		assertRefused(t, second(engine.Verify(text)), "BAD_RECORD", "")
	}
	assertRefused(t, second(engine.Verify(`{"format":"azulejo-record/1","seats":[],"game":"azul colored 2 start 0",
		"checks":"","result":{"score":{"seats":[],"winners":[]},"check":""}}`)), "FALSE_RECORD", "")
}
