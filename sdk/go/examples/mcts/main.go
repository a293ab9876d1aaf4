// Mcts is a Monte Carlo tree search: thousands of positions in this process for each move, without a
// server. From a new position of the tree, the house bot greedy plays a game to the end.
package main

import (
	"context"
	"log"
	"math/rand/v2"
	"time"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

const (
	longest = 300 * time.Millisecond
	// The part of the time left that a move may take.
	share = 33
)

func main() {
	engine, err := local.Open()
	if err != nil {
		log.Fatal(err)
	}
	// One match at a time: an engine belongs to one goroutine.
	choose := func(_ context.Context, turn *azulejo.Turn) (*azulejo.Move, error) {
		game, err := engine.FromState(turn.State, local.Explicit())
		if err != nil {
			return nil, err
		}
		defer game.Close()
		action, err := best(game, min(longest, turn.TimeLeft.AsDuration()/share))
		return azulejo.MoveByID(uint32(action)), err
	}
	azulejo.Main(azulejo.BotFunc(choose), azulejo.WithRegistration("cleo/mcts"))
}

// best returns the move that was tried most.
func best(game *local.Game, thinking time.Duration) (int, error) {
	root := newNode(game)
	copied, err := game.Clone()
	if err != nil {
		return 0, err
	}
	defer copied.Close()
	for until := time.Now().Add(thinking); ; {
		if err := copied.CopyFrom(game); err != nil {
			return 0, err
		}
		if err := visit(root, copied); err != nil {
			return 0, err
		}
		if len(root.edges) == 1 || time.Now().After(until) {
			break
		}
	}
	most := root.edges[0]
	for _, edge := range root.edges {
		if edge.visits > most.visits {
			most = edge
		}
	}
	return most.action, nil
}

// visit grows the tree by one position.
func visit(node *node, game *local.Game) error {
	var path []*edge
	// The tree ends where tiles are dealt: what follows is drawn again in every game.
	for node != nil && !game.IsTerminal() && !game.IsChance() {
		edge := node.choose()
		path = append(path, edge)
		if err := game.Apply(edge.action); err != nil {
			return err
		}
		node.visits++
		if edge.next == nil && game.CurrentPlayer() >= 0 {
			edge.next = newNode(game)
			break
		}
		node = edge.next
	}
	values, err := evaluate(game, rand.Uint64())
	if err != nil {
		return err
	}
	for _, edge := range path {
		edge.visits++
		edge.worth += values[edge.seat]
	}
	return nil
}
