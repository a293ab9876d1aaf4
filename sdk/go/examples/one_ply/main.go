// One_ply looks one move ahead: it tries every move on a copy of the game, and then plays random games to
// the end. The engine runs in this process, so best needs no server.
package main

import (
	"context"
	"log"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

const games = 24

func main() {
	engine, err := local.Open()
	if err != nil {
		log.Fatal(err)
	}
	bot := &onePly{engine: engine}
	azulejo.Main(azulejo.BotFunc(bot.choose), azulejo.WithRegistration("cleo/one-ply"), azulejo.WithMaxConcurrentMatches(4))
}

// Matches run side by side, and an engine belongs to one goroutine at a time.
type onePly struct {
	mu     sync.Mutex
	engine *local.Engine
}

func (b *onePly) choose(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	// Explicit: the deals of later rounds are drawn again in every game.
	game, err := b.engine.FromState(turn.State, local.Explicit())
	if err != nil {
		return nil, err
	}
	defer game.Close()
	action, err := best(game)
	return azulejo.MoveByID(uint32(action)), err
}

// best returns the move with the best mean lead.
func best(game *local.Game) (action int, err error) {
	highest := math.Inf(-1)
	for _, legal := range slices.Clone(game.Legal()) {
		lead, err := value(game, int(legal))
		if err != nil {
			return 0, err
		}
		if lead > highest {
			action, highest = int(legal), lead
		}
	}
	return action, nil
}

// value returns the mean lead after a move.
func value(game *local.Game, action int) (float64, error) {
	after, err := game.Clone()
	if err != nil {
		return 0, err
	}
	defer after.Close()
	if err := after.Apply(action); err != nil {
		return 0, err
	}
	played, err := after.Playouts(games, rand.Uint64())
	if err != nil {
		return 0, err
	}
	totals := make([]float64, played.Seats)
	for at, score := range played.Scores {
		totals[at%played.Seats] += float64(score)
	}
	seat := game.CurrentPlayer()
	own := totals[seat]
	return (own - slices.Max(slices.Delete(totals, seat, seat+1))) / games, nil
}
