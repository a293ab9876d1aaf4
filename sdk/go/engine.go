package azulejo

import (
	"context"

	"google.golang.org/grpc"

	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
)

// Engine is the rules of both games as calls. It is stateless: every call carries the position that
// it is about. Errors are of type [Error].
//
// Calls are spread over all addresses that the server's name has (DNS, round robin), as a headless
// service of Kubernetes wants it; whatever a replica that went away did not answer is asked again.
type Engine struct {
	conn  *grpc.ClientConn
	calls enginev1.EngineServiceClient
}

// NewEngine makes a client; of the options it uses [WithServer], [WithTLS] and [WithTraceparent].
// Nothing is sent before the first call.
func NewEngine(given ...Option) (*Engine, error) {
	o := optionsOf(given)
	o.token, o.balanceRoundRobin = "", true
	conn, err := dial(o)
	if err != nil {
		return nil, err
	}
	return &Engine{conn: conn, calls: enginev1.NewEngineServiceClient(conn)}, nil
}

// Close ends the connections.
func (e *Engine) Close() error { return e.conn.Close() }

// Calls is the generated client, for requests made by hand.
func (e *Engine) Calls() enginev1.EngineServiceClient { return e.calls }

// ListRulesets tells every ruleset that can be played.
func (e *Engine) ListRulesets(ctx context.Context) (*enginev1.ListRulesetsResponse, error) {
	return e.calls.ListRulesets(ctx, &enginev1.ListRulesetsRequest{})
}

// NewGame starts a game. Without a chance (nil) the engine makes a seed and returns it.
func (e *Engine) NewGame(ctx context.Context, ruleset *Ruleset, chance *Chance) (*enginev1.NewGameResponse, error) {
	request := &enginev1.NewGameRequest{Ruleset: ruleset}
	switch {
	case chance == nil:
	case chance.seed != nil:
		request.Chance = &enginev1.NewGameRequest_Seed{Seed: chance.seed}
	default:
		request.Chance = &enginev1.NewGameRequest_Displays{Displays: chance.displays}
	}
	return e.calls.NewGame(ctx, request)
}

// LegalMoves tells every legal move, in ascending order of action ids.
func (e *Engine) LegalMoves(ctx context.Context, state *State) (*enginev1.LegalMovesResponse, error) {
	return e.calls.LegalMoves(ctx, &enginev1.LegalMovesRequest{State: state})
}

// Apply carries out a move. Without a chance (nil) the next position waits for its deal.
func (e *Engine) Apply(ctx context.Context, state *State, move *Move, chance *Chance) (*enginev1.ApplyResponse, error) {
	return e.calls.Apply(ctx, ApplyRequest(state, move, chance))
}

// ApplyRequest is one request of a batch.
func ApplyRequest(state *State, move *Move, chance *Chance) *enginev1.ApplyRequest {
	request := &enginev1.ApplyRequest{State: state}
	switch {
	case move == nil:
	case move.action != nil:
		request.Action = &enginev1.ApplyRequest_ActionId{ActionId: *move.action}
	case move.typed != nil:
		request.Action = &enginev1.ApplyRequest_Move{Move: move.typed}
	default:
		request.Action = &enginev1.ApplyRequest_Notation{Notation: move.notation}
	}
	switch {
	case chance == nil:
	case chance.seed != nil:
		request.Chance = &enginev1.ApplyRequest_Seed{Seed: chance.seed}
	default:
		request.Chance = &enginev1.ApplyRequest_Displays{Displays: chance.displays}
	}
	return request
}

// Deal fills the displays that wait: by a seed at most so many, 0 for all.
func (e *Engine) Deal(ctx context.Context, state *State, chance *Chance, most int) (*enginev1.DealResponse, error) {
	request := &enginev1.DealRequest{State: state, MaxDisplays: uint32(most)}
	switch {
	case chance == nil:
	case chance.seed != nil:
		request.Chance = &enginev1.DealRequest_Seed{Seed: chance.seed}
	default:
		request.Chance = &enginev1.DealRequest_Displays{Displays: chance.displays}
	}
	return e.calls.Deal(ctx, request)
}

// DealOutcomes tells every outcome of the next deal with its exact probability.
func (e *Engine) DealOutcomes(ctx context.Context, state *State) (*enginev1.DealOutcomesResponse, error) {
	return e.calls.DealOutcomes(ctx, &enginev1.DealOutcomesRequest{State: state})
}

// Score tells the score, item by item, in the middle of a game or after its end.
func (e *Engine) Score(ctx context.Context, state *State) (*enginev1.ScoreResponse, error) {
	return e.calls.Score(ctx, &enginev1.ScoreRequest{State: state})
}
