package azulejo

import (
	"context"
	"fmt"
	"os"
	"strings"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
	"github.com/azulejo-arena/azulejo/sdk/go/gen/reason"
)

// Register makes a new bot, OWNER/NAME. Its owner must be new as well, unless [WithOwnerToken] says
// whose it is. The tokens in the answer are shown once and kept nowhere.
func Register(ctx context.Context, name string, given ...Option) (*arenav1.RegisterBotResponse, error) {
	o := optionsOf(given)
	o.name = name
	return o.register(ctx)
}

func (o *options) register(ctx context.Context) (*arenav1.RegisterBotResponse, error) {
	owner, name, ok := strings.Cut(o.name, "/")
	if !ok {
		return nil, fmt.Errorf("a bot is registered as OWNER/NAME, for example you/first-bot, not %q", o.name)
	}
	as := *o
	as.token = o.ownerKey
	conn, err := dial(&as)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	request := &arenav1.RegisterBotRequest{Owner: owner, Name: name, Invitation: o.invitation}
	answer, err := arenav1.NewBotsServiceClient(conn).RegisterBot(ctx, request)
	if refused := asError(err); refused != nil {
		if refused.Reason == reason.OwnerTaken || refused.Reason == reason.NameTaken {
			return nil, fmt.Errorf("%s is registered already: set AZULEJO_TOKEN to the token that was shown then, "+
				"or choose another name: %w", o.name, refused)
		}
		return nil, fmt.Errorf("registering %s: %w", o.name, refused)
	}
	return answer, nil
}

func showTokens(registered *arenav1.RegisterBotResponse) {
	fmt.Fprintf(os.Stderr, "Registered %s. Keep both, they are shown this once:\n", registered.GetBot().GetId())
	fmt.Fprintf(os.Stderr, "  the bot's token     %s   (AZULEJO_TOKEN for the next run)\n", registered.GetToken())
	if owner := registered.GetOwnerToken(); owner != "" {
		fmt.Fprintf(os.Stderr, "  the owner's token   %s\n", owner)
	}
}
