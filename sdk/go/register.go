package azulejo

import (
	"context"
	"fmt"
	"os"
	"strings"

	"google.golang.org/grpc"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// Register registers a new bot, OWNER/NAME. The owner must be new too, unless [WithOwnerToken] is
// given. If the answer is lost, the call is repeated with the same request id, so the bot is not
// registered twice. The server stores only hashes of the tokens in the response: keep them.
func Register(ctx context.Context, name string, given ...Option) (*arenav1.RegisterBotResponse, error) {
	o := optionsOf(given)
	o.name = name
	return o.register(ctx)
}

func (o *options) register(ctx context.Context) (*arenav1.RegisterBotResponse, error) {
	owner, name, ok := strings.Cut(o.name, "/")
	if !ok {
		return nil, fmt.Errorf("invalid bot name %q: write OWNER/NAME, for example you/first-bot", o.name)
	}
	asOwner := *o
	asOwner.token = o.ownerToken
	conn, err := dial(&asOwner)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	answer, refused := callRegister(ctx, conn, &arenav1.RegisterBotRequest{
		Owner: owner, Name: name, Invitation: o.invitation, RequestId: newRequestID(),
	})
	switch {
	case refused == nil:
		return answer, nil
	case refused.Reason == reason.OwnerTaken, refused.Reason == reason.NameTaken:
		return nil, fmt.Errorf("%s is already registered: set AZULEJO_TOKEN to its token, "+
			"or choose another name: %w", o.name, refused)
	default:
		return nil, fmt.Errorf("cannot register %s: %w", o.name, refused)
	}
}

// callRegister retries for a second or two: longer than a lost answer needs, and short enough to
// notice that there is no server.
func callRegister(ctx context.Context, conn *grpc.ClientConn,
	request *arenav1.RegisterBotRequest) (*arenav1.RegisterBotResponse, *Error) {
	const attempts = 6
	for attempt := 1; ; attempt++ {
		answer, err := arenav1.NewBotsServiceClient(conn).RegisterBot(ctx, request)
		refused := asError(err)
		if refused == nil || !refused.isTransient() || attempt == attempts || refused.RetryAfter > callTimeout {
			return answer, refused
		}
		if !pause(ctx, backoff(attempt, refused)) {
			return nil, refused
		}
		conn.ResetConnectBackoff()
	}
}

func printTokens(registered *arenav1.RegisterBotResponse) {
	fmt.Fprintf(os.Stderr, "Registered %s. Keep the tokens, they are not shown again:\n", registered.GetBot().GetId())
	fmt.Fprintf(os.Stderr, "  bot token     %s   (AZULEJO_TOKEN for the next run)\n", registered.GetToken())
	if owner := registered.GetOwnerToken(); owner != "" {
		fmt.Fprintf(os.Stderr, "  owner token   %s\n", owner)
	}
}
