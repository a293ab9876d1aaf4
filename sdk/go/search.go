package azulejo

import (
	"context"

	"google.golang.org/grpc/status"

	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// Chance decides deals: a seed, or explicit displays.
type Chance struct {
	seed     *gamev1.Seed
	displays *gamev1.Displays
}

// SeedNumber is a seed for tests and experiments.
func SeedNumber(number uint64) *Chance {
	return &Chance{seed: &gamev1.Seed{Seed: &gamev1.Seed_Number{Number: number}}}
}

// SeedKey is a seed of 32 bytes.
func SeedKey(key []byte) *Chance {
	return &Chance{seed: &gamev1.Seed{Seed: &gamev1.Seed_Key{Key: key}}}
}

// Seeded is a seed from a response, for example of NewGame.
func Seeded(seed *gamev1.Seed) *Chance { return &Chance{seed: seed} }

// Displays are explicit contents, in the order in which the displays are filled.
func Displays(displays *gamev1.Displays) *Chance { return &Chance{displays: displays} }

// Expand lists every legal move with the state that it leads to and its score, or only the score.
func (e *Engine) Expand(ctx context.Context, state *State, view enginev1.ExpandView) (*enginev1.ExpandResponse, error) {
	return e.calls.Expand(ctx, &enginev1.ExpandRequest{State: state, View: view})
}

// Applied is the result of one request of a batch.
type Applied struct {
	// Response is nil if the request failed.
	Response *enginev1.ApplyResponse
	// Err is nil or of type [Error], as Apply would have returned it.
	Err error
}

// BatchApply is Apply for up to 1,024 requests in one call. Each succeeds or fails by itself.
func (e *Engine) BatchApply(ctx context.Context, requests ...*enginev1.ApplyRequest) ([]Applied, error) {
	answer, err := e.calls.BatchApply(ctx, &enginev1.BatchApplyRequest{Requests: requests})
	if err != nil {
		return nil, err
	}
	results := make([]Applied, len(answer.GetResults()))
	for index, result := range answer.GetResults() {
		results[index].Response = result.GetResponse()
		if refused := asError(status.ErrorProto(result.GetError())); refused != nil {
			results[index].Err = refused
		}
	}
	return results, nil
}

// Playouts plays games from a state to their end and summarizes the results. Without a chance (nil)
// the engine uses a random seed and returns it.
func (e *Engine) Playouts(ctx context.Context, state *State, games int, policy enginev1.PlayoutPolicy,
	chance *Chance) (*enginev1.PlayoutsResponse, error) {
	request := &enginev1.PlayoutsRequest{State: state, Games: uint32(games), Policy: policy}
	if chance != nil {
		request.Seed = chance.seed
	}
	return e.calls.Playouts(ctx, request)
}

// Replay verifies a record: every deal, every move, the score.
func (e *Engine) Replay(ctx context.Context, record string) (*enginev1.ReplayResponse, error) {
	return e.calls.Replay(ctx, &enginev1.ReplayRequest{Record: record})
}

// RenderSVG draws a state as a picture. The names are those of the seats, in order.
func (e *Engine) RenderSVG(ctx context.Context, state *State, theme enginev1.RenderTheme, names ...string) (string, error) {
	format := &enginev1.RenderRequest_Svg{Svg: &enginev1.RenderSvg{Theme: theme}}
	answer, err := e.calls.Render(ctx, &enginev1.RenderRequest{State: state, Format: format, Names: names})
	return answer.GetDrawing(), err
}

// RenderText draws a state as text for a terminal. The names are those of the seats, in order.
func (e *Engine) RenderText(ctx context.Context, state *State, color bool, names ...string) (string, error) {
	format := &enginev1.RenderRequest_Text{Text: &enginev1.RenderText{Color: color}}
	answer, err := e.calls.Render(ctx, &enginev1.RenderRequest{State: state, Format: format, Names: names})
	return answer.GetDrawing(), err
}

// FormatPosition writes a state as one line of text.
func (e *Engine) FormatPosition(ctx context.Context, state *State) (string, error) {
	answer, err := e.calls.FormatPosition(ctx, &enginev1.FormatPositionRequest{State: state})
	return answer.GetPosition(), err
}

// ParsePosition reads a state from one line of text.
func (e *Engine) ParsePosition(ctx context.Context, position string) (*enginev1.ParsePositionResponse, error) {
	return e.calls.ParsePosition(ctx, &enginev1.ParsePositionRequest{Position: position})
}
