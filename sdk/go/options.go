package azulejo

import (
	"context"
	"crypto/tls"
	"log/slog"
	"os"

	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// Time classes: a bank, and an increment after each move.
const (
	// Bullet is 2 s and 0.05 s a move.
	Bullet = arenav1.TimeClass_TIME_CLASS_BULLET
	// Blitz is 10 s and 0.1 s a move: what is played unless told otherwise.
	Blitz = arenav1.TimeClass_TIME_CLASS_BLITZ
	// Rapid is 120 s and 2 s a move.
	Rapid = arenav1.TimeClass_TIME_CLASS_RAPID
)

// DefaultServer is where a bot plays if neither [WithServer] nor AZULEJO_SERVER says otherwise.
const DefaultServer = "http://127.0.0.1:7700"

type options struct {
	server, token        string
	name                 string
	invitation, ownerKey string
	registered           func(*arenav1.RegisterBotResponse)

	version           string
	rulesets          []*Ruleset
	timeClasses       []arenav1.TimeClass
	gamesAtOnce       int
	refusesChallenges bool
	offLadder         bool
	matches           int
	challenge         *arenav1.CreateChallengeRequest
	tls               *tls.Config
	log               *slog.Logger
	traceparent       func(context.Context) string
	balanceRoundRobin bool
}

// An Option says where and how a bot plays, or an engine is called.
type Option func(*options)

func optionsOf(given []Option) *options {
	made := &options{
		server:      os.Getenv("AZULEJO_SERVER"),
		version:     "1",
		gamesAtOnce: 1,
		registered:  showTokens,
		log:         slog.Default(),
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

// WithServer is the address of the server, http://… or https://…; else AZULEJO_SERVER.
func WithServer(address string) Option { return func(o *options) { o.server = address } }

// WithToken is the bot's token, azb_…; else AZULEJO_TOKEN. It is never logged.
func WithToken(token string) Option { return func(o *options) { o.token = token } }

// WithRegistration registers a new bot, OWNER/NAME, if there is no token. The tokens are shown once
// on the standard error stream and kept nowhere: set AZULEJO_TOKEN for the next run.
func WithRegistration(name string) Option { return func(o *options) { o.name = name } }

// WithInvitation is the code with which to register where the arena asks for one.
func WithInvitation(code string) Option { return func(o *options) { o.invitation = code } }

// WithOwnerToken registers one more bot of the owner of this token, azo_….
func WithOwnerToken(token string) Option { return func(o *options) { o.ownerKey = token } }

// WithRegistered is told the tokens of a registration, instead of showing them.
func WithRegistered(told func(*arenav1.RegisterBotResponse)) Option {
	return func(o *options) { o.registered = told }
}

// WithVersion is the bot's version: ratings belong to it, so change it when the bot changes.
func WithVersion(version string) Option { return func(o *options) { o.version = version } }

// WithRulesets is what the bot plays; unless told, everything.
func WithRulesets(rulesets ...*Ruleset) Option {
	return func(o *options) { o.rulesets = rulesets }
}

// WithTimeClasses is by which clocks the bot plays; unless told, [Blitz].
func WithTimeClasses(classes ...arenav1.TimeClass) Option {
	return func(o *options) { o.timeClasses = classes }
}

// WithGamesAtOnce is how many matches the bot plays at the same time, 1 to 8; unless told, 1.
func WithGamesAtOnce(games int) Option { return func(o *options) { o.gamesAtOnce = games } }

// WithoutChallenges turns down the challenges of others.
func WithoutChallenges() Option { return func(o *options) { o.refusesChallenges = true } }

// OffLadder plays challenges only.
func OffLadder() Option { return func(o *options) { o.offLadder = true } }

// WithMatches ends [Run] after so many matches, once no other is running. Matches that are called
// off do not count.
func WithMatches(matches int) Option { return func(o *options) { o.matches = matches } }

// WithChallenge stays off the ladder and challenges the house instead, unrated: one of random,
// greedy and strong for every other seat. As soon as a match ends the next one is asked for; combine
// it with [WithMatches].
func WithChallenge(ruleset *Ruleset, house ...string) Option {
	request := &arenav1.CreateChallengeRequest{Ruleset: ruleset}
	for _, name := range house {
		opponent := &arenav1.Opponent{Opponent: &arenav1.Opponent_House{House: name}}
		request.Opponents = append(request.Opponents, opponent)
	}
	return func(o *options) { o.challenge, o.offLadder = request, true }
}

// WithTLS is for https servers with certificates of their own.
func WithTLS(config *tls.Config) Option { return func(o *options) { o.tls = config } }

// WithLogger is where the SDK logs; unless told, [slog.Default].
func WithLogger(log *slog.Logger) Option { return func(o *options) { o.log = log } }

// WithTraceparent sends what it returns as the W3C header traceparent, with every call; an empty
// text sends none.
func WithTraceparent(current func(context.Context) string) Option {
	return func(o *options) { o.traceparent = current }
}

func (o *options) hello(gamesAtOnce int) *arenav1.Hello {
	return &arenav1.Hello{
		Version: o.version,
		Offer: &arenav1.Offer{
			Rulesets:          o.rulesets,
			TimeClasses:       o.timeClasses,
			GamesAtOnce:       uint32(max(gamesAtOnce, 0)),
			AcceptsChallenges: !o.refusesChallenges && o.challenge == nil,
			OffLadder:         o.offLadder,
		},
		Sdk: "go/" + Version,
	}
}
