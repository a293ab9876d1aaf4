package azulejo

import (
	"context"

	"google.golang.org/grpc/codes"

	enginev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/engine/v1"
	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// Chance is who decides a deal: a seed, or given displays.
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

// Seeded is a seed that the engine made, as NewGame returns it.
func Seeded(seed *gamev1.Seed) *Chance { return &Chance{seed: seed} }

// Displays are given outcomes, in the order in which the displays are filled.
func Displays(displays *gamev1.Displays) *Chance { return &Chance{displays: displays} }

// Expand tells every legal move with the position it leads to and its score, or its score alone.
func (e *Engine) Expand(ctx context.Context, state *State, view enginev1.ExpandView) (*enginev1.ExpandResponse, error) {
	return e.calls.Expand(ctx, &enginev1.ExpandRequest{State: state, View: view})
}

// Applied is what became of one request of a batch: a response or an error of type [Error].
type Applied struct {
	Response *enginev1.ApplyResponse
	Err      error
}

// BatchApply is Apply for many positions at once, at most 1,024. Each answers for itself.
func (e *Engine) BatchApply(ctx context.Context, requests ...*enginev1.ApplyRequest) ([]Applied, error) {
	answer, err := e.calls.BatchApply(ctx, &enginev1.BatchApplyRequest{Requests: requests})
	if err != nil {
		return nil, err
	}
	results := make([]Applied, len(answer.GetResults()))
	for index, result := range answer.GetResults() {
		results[index].Response = result.GetResponse()
		if wrong := result.GetError(); wrong != nil {
			results[index].Err = batchError(wrong)
		}
	}
	return results, nil
}

func batchError(wrong *enginev1.BatchError) *Error {
	made := &Error{
		Code:     codes.InvalidArgument,
		Reason:   reason.Reason(wrong.GetReason()),
		Message:  wrong.GetMessage(),
		Metadata: wrong.GetMetadata(),
	}
	if wrong.GetField() != "" {
		made.Violations = []FieldViolation{{Field: wrong.GetField(), Description: wrong.GetMessage()}}
	}
	return made
}

// Playouts plays games from a position to their end and sums up the results. Without a chance (nil)
// the engine makes a seed and returns it.
func (e *Engine) Playouts(ctx context.Context, state *State, games int, policy enginev1.PlayoutPolicy,
	chance *Chance) (*enginev1.PlayoutsResponse, error) {
	request := &enginev1.PlayoutsRequest{State: state, Games: uint32(games), Policy: policy}
	if chance != nil {
		request.Seed = chance.seed
	}
	return e.calls.Playouts(ctx, request)
}

// Replay checks a record: every deal, every move, the score.
func (e *Engine) Replay(ctx context.Context, record string) (*enginev1.ReplayResponse, error) {
	return e.calls.Replay(ctx, &enginev1.ReplayRequest{Record: record})
}

// RenderSVG draws a position as a picture; the names are those of the seats, in order, if given.
func (e *Engine) RenderSVG(ctx context.Context, state *State, theme enginev1.RenderTheme, names ...string) (string, error) {
	format := &enginev1.RenderRequest_Svg{Svg: &enginev1.RenderSvg{Theme: theme}}
	answer, err := e.calls.Render(ctx, &enginev1.RenderRequest{State: state, Format: format, Names: names})
	return answer.GetDrawing(), err
}

// RenderText draws a position for a terminal; the names are those of the seats, in order, if given.
func (e *Engine) RenderText(ctx context.Context, state *State, color bool, names ...string) (string, error) {
	format := &enginev1.RenderRequest_Text{Text: &enginev1.RenderText{Color: color}}
	answer, err := e.calls.Render(ctx, &enginev1.RenderRequest{State: state, Format: format, Names: names})
	return answer.GetDrawing(), err
}
