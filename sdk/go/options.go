package azulejo

import (
	"context"
	"crypto/tls"
	"log/slog"
	"os"

	"google.golang.org/protobuf/proto"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// Time classes: a bank, and an increment after each move.
const (
	// Bullet is 2 s, plus 0.05 s per move.
	Bullet = arenav1.TimeClass_TIME_CLASS_BULLET
	// Blitz is 10 s, plus 0.1 s per move. It is the default.
	Blitz = arenav1.TimeClass_TIME_CLASS_BLITZ
	// Rapid is 120 s, plus 2 s per move.
	Rapid = arenav1.TimeClass_TIME_CLASS_RAPID
)

// DefaultServer is the server that is used if neither [WithServer] nor AZULEJO_SERVER is set.
const DefaultServer = "http://127.0.0.1:7700"

type options struct {
	server, token          string
	name                   string
	invitation, ownerToken string
	registered             func(*arenav1.RegisterBotResponse)

	version              string
	rulesets             []*Ruleset
	timeClasses          []arenav1.TimeClass
	maxConcurrentMatches int
	acceptsChallenges    bool
	playsLadder          bool
	matches              int
	challenge            *arenav1.CreateChallengeRequest
	tls                  *tls.Config
	log                  *slog.Logger
	traceparent          func(context.Context) string
	balanceRoundRobin    bool
}

// An Option configures a bot or an engine client.
type Option func(*options)

func optionsOf(given []Option) *options {
	made := &options{
		server:               os.Getenv("AZULEJO_SERVER"),
		version:              "1",
		maxConcurrentMatches: 1,
		acceptsChallenges:    true,
		playsLadder:          true,
		registered:           printTokens,
		log:                  slog.Default(),
	}
	for _, option := range given {
		option(made)
	}
	if made.server == "" {
		made.server = DefaultServer
	}
	if made.token == "" {
		made.token = os.Getenv("AZULEJO_TOKEN")
	}
	return made
}

// WithServer sets the address of the server, http://… or https://…. Default: AZULEJO_SERVER, then
// [DefaultServer].
func WithServer(address string) Option { return func(o *options) { o.server = address } }

// WithToken sets the bot's token, azb_…. Default: AZULEJO_TOKEN. It is never logged.
func WithToken(token string) Option { return func(o *options) { o.token = token } }

// WithRegistration registers a new bot, OWNER/NAME, if there is no token. The tokens are printed once
// to standard error and not stored: set AZULEJO_TOKEN for the next run.
func WithRegistration(name string) Option { return func(o *options) { o.name = name } }

// WithInvitation sets the invitation code for the registration, if the arena requires one.
func WithInvitation(code string) Option { return func(o *options) { o.invitation = code } }

// WithOwnerToken registers the bot for the owner of this token, azo_….
func WithOwnerToken(token string) Option { return func(o *options) { o.ownerToken = token } }

// WithRegistered sets a function that receives the tokens of a registration. Default: print them.
func WithRegistered(receive func(*arenav1.RegisterBotResponse)) Option {
	return func(o *options) { o.registered = receive }
}

// WithVersion sets the bot's version. Ratings belong to a version: change it when the bot changes.
// Default: 1.
func WithVersion(version string) Option { return func(o *options) { o.version = version } }

// WithRulesets sets the rulesets that the bot plays. Default: all.
func WithRulesets(rulesets ...*Ruleset) Option {
	return func(o *options) { o.rulesets = rulesets }
}

// WithTimeClasses sets the time classes that the bot plays. Default: [Blitz].
func WithTimeClasses(classes ...arenav1.TimeClass) Option {
	return func(o *options) { o.timeClasses = classes }
}

// WithMaxConcurrentMatches sets the maximum number of matches at the same time, 1 to 8. Default: 1.
func WithMaxConcurrentMatches(matches int) Option {
	return func(o *options) { o.maxConcurrentMatches = matches }
}

// AcceptsChallenges sets whether bots of other owners may challenge the bot. Default: true.
func AcceptsChallenges(accepts bool) Option {
	return func(o *options) { o.acceptsChallenges = accepts }
}

// PlaysLadder sets whether the bot plays rated matches on the ladder. Default: true.
func PlaysLadder(plays bool) Option { return func(o *options) { o.playsLadder = plays } }

// WithMatches stops [Run] after this number of matches, when no other match is running. Voided matches
// do not count. Default: never.
func WithMatches(matches int) Option { return func(o *options) { o.matches = matches } }

// WithChallenge plays unrated matches against house bots instead of the ladder: name one of random,
// greedy and strong for every other seat. When a match ends, the next challenge is made; combine it
// with [WithMatches].
func WithChallenge(ruleset *Ruleset, house ...string) Option {
	request := &arenav1.CreateChallengeRequest{Ruleset: ruleset}
	for _, name := range house {
		opponent := &arenav1.Opponent{Opponent: &arenav1.Opponent_House{House: name}}
		request.Opponents = append(request.Opponents, opponent)
	}
	return func(o *options) { o.challenge = request }
}

// WithTLS sets the TLS configuration, for https servers with a private certificate authority. Default:
// the certificates of the system.
func WithTLS(config *tls.Config) Option { return func(o *options) { o.tls = config } }

// WithLogger sets the logger. Default: [slog.Default].
func WithLogger(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// WithTraceparent sets a function that returns the W3C header traceparent for each call. If it returns
// an empty string, the header is omitted.
func WithTraceparent(current func(context.Context) string) Option {
	return func(o *options) { o.traceparent = current }
}

func (o *options) hello(maxConcurrentMatches int) *arenav1.Hello {
	return &arenav1.Hello{
		Version: o.version,
		Offer: &arenav1.Offer{
			Rulesets:             o.rulesets,
			TimeClasses:          o.timeClasses,
			MaxConcurrentMatches: uint32(max(maxConcurrentMatches, 0)),
			AcceptsChallenges:    o.acceptsChallenges && o.challenge == nil,
			PlaysLadder:          proto.Bool(o.playsLadder && o.challenge == nil),
		},
		Sdk: "go/" + Version,
	}
}
