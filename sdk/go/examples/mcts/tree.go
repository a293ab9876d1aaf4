package main

import (
	"math"

	"github.com/azulejo-arena/azulejo/sdk/go/local"
)

const (
	// The weight of moves that were tried rarely.
	exploration = 0.6
	// A lead that is nearly a win, in points.
	clearLead = 20
)

// node is a position of the tree.
type node struct {
	visits float64
	edges  []*edge
}

// edge is a move: how often it was tried, and what it was worth to its seat.
type edge struct {
	action, seat  int
	visits, worth float64
	next          *node
}

func newNode(game *local.Game) *node {
	created, seat := new(node), game.CurrentPlayer()
	for _, action := range game.Legal() {
		created.edges = append(created.edges, &edge{action: int(action), seat: seat})
	}
	return created
}

// choose returns the move to try next; moves that were never tried come first.
func (n *node) choose() *edge {
	best, highest := n.edges[0], math.Inf(-1)
	for _, edge := range n.edges {
		if edge.visits == 0 {
			return edge
		}
		value := edge.worth/edge.visits + exploration*math.Sqrt(math.Log(n.visits)/edge.visits)
		if value > highest {
			best, highest = edge, value
		}
	}
	return best
}

// evaluate returns what a game to the end is worth to each seat, from -1 to 1.
func evaluate(game *local.Game, seed uint64) ([]float64, error) {
	played, err := game.Playouts(1, seed, "greedy")
	if err != nil {
		return nil, err
	}
	values := make([]float64, played.Seats)
	for seat, score := range played.Scores {
		most := uint16(0)
		for other, score := range played.Scores {
			if other != seat {
				most = max(most, score)
			}
		}
		values[seat] = math.Tanh((float64(score) - float64(most)) / clearLead)
	}
	return values, nil
}
