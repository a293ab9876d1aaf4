// Command benchmark measures the engine in the process, compared with Rust.
//
//	AZULEJO_BIN=target/release/azulejo go run ./local/benchmark
//
// Processor time, the minimum of seven runs; the runs of all measurements take turns.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

const runs = 7

var rulesets = []struct {
	key     string
	options []string
}{
	{"azul-colored-2", nil},
	{"azul-gray-2", []string{"--board", "gray"}},
	{"summer-pavilion-colored-2", []string{"--game", "summer-pavilion"}},
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// timed returns nanoseconds of this process for each step.
func timed(run func() int) float64 {
	began := used()
	steps := run()
	return float64(used()-began) / float64(steps)
}

func used() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		log.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// rust returns nanoseconds of `azulejo bench playouts` for each step.
func rust(options []string) float64 {
	command := exec.Command(os.Getenv("AZULEJO_BIN"), append([]string{"bench", "playouts", "--json", "--games", "60000"}, options...)...)
	output := must(command.Output())
	var figures struct {
		Steps float64 `json:"steps"`
	}
	if err := json.Unmarshal(output, &figures); err != nil {
		log.Fatal(err)
	}
	return float64(command.ProcessState.UserTime()+command.ProcessState.SystemTime()) / figures.Steps
}

func single(engine *local.Engine, ruleset string) int {
	start := must(engine.New(ruleset, local.Seed(7)))
	game, steps, random := must(start.Clone()), 0, uint32(12345)
	for range 3000 {
		if err := game.CopyFrom(start); err != nil {
			log.Fatal(err)
		}
		for ; !game.IsTerminal(); steps++ {
			legal := game.Legal()
			random = random*1664525 + 1013904223
			if err := game.Apply(int(legal[int(random>>8)%len(legal)])); err != nil {
				log.Fatal(err)
			}
		}
	}
	return steps
}

func inside(engine *local.Engine, ruleset string) int {
	start := must(engine.New(ruleset, local.Seed(7)))
	game, steps := must(start.Clone()), 0
	for seed := range uint64(3000) {
		if err := game.CopyFrom(start); err != nil {
			log.Fatal(err)
		}
		steps += must(game.PlayOut(seed))
	}
	return steps
}

func batch(engine *local.Engine, ruleset string) int {
	batch := must(engine.NewBatch(ruleset, 1024, local.BatchOptions{Seed: 1}))
	defer batch.Close()
	for range 100 {
		if err := batch.Step(must(batch.Sample())); err != nil {
			log.Fatal(err)
		}
	}
	return 100 * 1024
}

func cloning(engine *local.Engine, ruleset string) int {
	game := must(engine.New(ruleset, local.Seed(7)))
	for range 50_000 {
		must(game.Clone()).Close()
	}
	return 50_000
}

func main() {
	engine := must(local.Open())
	for _, ruleset := range rulesets {
		key := ruleset.key
		measured := []struct {
			name    string
			measure func() float64
		}{
			{"Rust playout", func() float64 { return rust(ruleset.options) }},
			{"playout, one call for each move", func() float64 { return timed(func() int { return single(engine, key) }) }},
			{"playout inside", func() float64 { return timed(func() int { return inside(engine, key) }) }},
			{"step of a batch of 1,024", func() float64 { return timed(func() int { return batch(engine, key) }) }},
			{"clone and close", func() float64 { return timed(func() int { return cloning(engine, key) }) }},
		}
		best := make([]float64, len(measured))
		for run := range runs {
			for at, m := range measured {
				if found := m.measure(); run == 0 || found < best[at] {
					best[at] = found
				}
			}
		}
		for at, m := range measured {
			fmt.Printf("%s  %-32s %5.0f ns  %.2f\n", key, m.name, math.Round(best[at]), best[at]/best[0])
		}
	}
}
