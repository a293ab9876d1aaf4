// One_ply looks one move ahead with the engine: it takes the move after which its lead is largest.
package main

import (
	"context"
	"errors"
	"log"
	"math"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
)

type onePly struct{ engine *azulejo.Engine }

func main() {
	engine, err := azulejo.NewEngine()
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close()
	azulejo.Main(&onePly{engine: engine}, azulejo.WithRegistration("cleo/one-ply"))
}

// Choose expands the position in one call.
func (b *onePly) Choose(ctx context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
	children, err := b.engine.Expand(ctx, turn.State, enginev1.ExpandView_EXPAND_VIEW_SCORES)
	if err != nil {
		return nil, err
	}
	var best *azulejo.LegalMove
	lead := int64(math.MinInt64)
	for _, child := range children.Children {
		if margin := margin(child.Score, int(turn.Seat)); margin > lead {
			best, lead = child.Move, margin
		}
	}
	if best == nil {
		return nil, errors.New("the position has no moves")
	}
	return azulejo.Pick(best), nil
}

// margin is how far a seat is ahead of the best of the others.
func margin(score *azulejo.Score, seat int) int64 {
	own, others := int64(0), int64(0)
	for index, each := range score.Seats {
		if index == seat {
			own = int64(each.Total)
		} else {
			others = max(others, int64(each.Total))
		}
	}
	return own - others
}
