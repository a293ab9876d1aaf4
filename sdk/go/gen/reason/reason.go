// Code generated from proto/README.md by sdk/go/generate. DO NOT EDIT.

// Package reason lists the reasons and rules in errors of the server. They never change.
package reason

// Reason is the reason of an error, as in google.rpc.ErrorInfo.
type Reason string

// Rule is the rule that forbids a move or a deal: `rule` in the metadata of an error.
type Rule string

// BadMessage: The bytes or the JSON are not a message of this type. For JSON the message names the path.
const BadMessage Reason = "BAD_MESSAGE"

// BadNotation: The notation of the move cannot be read; the message says where.
const BadNotation Reason = "BAD_NOTATION"

// BadPositionText: The text of a position cannot be read; the message says where.
const BadPositionText Reason = "BAD_POSITION_TEXT"

// BadRecord: The record is not a JSON document in a format that this engine knows.
const BadRecord Reason = "BAD_RECORD"

// BonusNotEarned: The board of the player to decide does not earn the bonus tiles that are due.
const BonusNotEarned Reason = "BONUS_NOT_EARNED"

// BonusOutOfRange: More bonus tiles are due than one placement earns, or than the supply has.
const BonusOutOfRange Reason = "BONUS_OUT_OF_RANGE"

// CenterOverfull: The center holds more tiles than the empty factory displays can have left there.
const CenterOverfull Reason = "CENTER_OVERFULL"

// ColorTwiceInColumn: A column of a wall shows a color twice.
const ColorTwiceInColumn Reason = "COLOR_TWICE_IN_COLUMN"

// ColorTwiceInRow: A row of a wall shows a color twice.
const ColorTwiceInRow Reason = "COLOR_TWICE_IN_ROW"

// ControlCharacter: A name contains a control character.
const ControlCharacter Reason = "CONTROL_CHARACTER"

// DeadlineExceeded: The deadline of the caller or of the server passed before the work was done.
const DeadlineExceeded Reason = "DEADLINE_EXCEEDED"

// DealOutOfOrder: A display is filled before an earlier one, or only partly.
const DealOutOfOrder Reason = "DEAL_OUT_OF_ORDER"

// DrawnOutOfRange: This number of drawn tiles is impossible in this state.
const DrawnOutOfRange Reason = "DRAWN_OUT_OF_RANGE"

// EndNotReached: The phase is OVER, but the game did not end this way.
const EndNotReached Reason = "END_NOT_REACHED"

// FactoryOverfull: A factory display holds more than four tiles.
const FactoryOverfull Reason = "FACTORY_OVERFULL"

// FieldMissing: A required field is missing.
const FieldMissing Reason = "FIELD_MISSING"

// FieldNotOfThisPhase: A field is set that has no meaning in this phase.
const FieldNotOfThisPhase Reason = "FIELD_NOT_OF_THIS_PHASE"

// FloorNotCleared: A floor line holds tiles between rounds.
const FloorNotCleared Reason = "FLOOR_NOT_CLEARED"

// FloorOverfull: A floor line holds more than seven tiles.
const FloorOverfull Reason = "FLOOR_OVERFULL"

// HeldTwice: More than one board holds the marker or token.
const HeldTwice Reason = "HELD_TWICE"

// IllegalMove: The rules forbid the move; `rule` in the metadata says which one.
const IllegalMove Reason = "ILLEGAL_MOVE"

// ImpossibleDeal: The given tiles cannot be drawn; `rule` in the metadata says why.
const ImpossibleDeal Reason = "IMPOSSIBLE_DEAL"

// LineColorOnWall: A pattern line holds a color that its row of the wall already shows.
const LineColorOnWall Reason = "LINE_COLOR_ON_WALL"

// LineLength: A pattern line holds more tiles than it has spaces.
const LineLength Reason = "LINE_LENGTH"

// LineNotTiled: A complete pattern line is left between rounds.
const LineNotTiled Reason = "LINE_NOT_TILED"

// MarkerNotReturned: A board holds the starting player marker while it must be in the center.
const MarkerNotReturned Reason = "MARKER_NOT_RETURNED"

// NothingToDeal: The phase is a deal, but no display waits for tiles, or there are none.
const NothingToDeal Reason = "NOTHING_TO_DEAL"

// NothingToKeep: The phase is KEEP, but the player has no choice.
const NothingToKeep Reason = "NOTHING_TO_KEEP"

// NothingToPlace: The phase is TILING, but the player has no tile that fits.
const NothingToPlace Reason = "NOTHING_TO_PLACE"

// NoDealDue: The call requires a state that waits for a deal.
const NoDealDue Reason = "NO_DEAL_DUE"

// NoSuchAction: The action id is not in the action space of this ruleset.
const NoSuchAction Reason = "NO_SUCH_ACTION"

// NoSuchEnumValue: An enum has a value that this version does not know.
const NoSuchEnumValue Reason = "NO_SUCH_ENUM_VALUE"

// NoSuchSeat: The game does not have this seat.
const NoSuchSeat Reason = "NO_SUCH_SEAT"

// OfferEmpty: A player is to take tiles, and there are none.
const OfferEmpty Reason = "OFFER_EMPTY"

// OfferNotEmpty: Factory displays or center hold tiles in a phase in which they are empty.
const OfferNotEmpty Reason = "OFFER_NOT_EMPTY"

// OtherGame: A move, a display or an option belongs to the other game.
const OtherGame Reason = "OTHER_GAME"

// OutOfRange: A number is too small or too large; the message says what is allowed.
const OutOfRange Reason = "OUT_OF_RANGE"

// PassedTooEarly: A seat has passed outside phase 2.
const PassedTooEarly Reason = "PASSED_TOO_EARLY"

// PointsOutOfRange: A score is lower or higher than this board can have.
const PointsOutOfRange Reason = "POINTS_OUT_OF_RANGE"

// RoundOutOfRange: The game does not have this round.
const RoundOutOfRange Reason = "ROUND_OUT_OF_RANGE"

// RowAlreadyComplete: A row is complete, but the game goes on.
const RowAlreadyComplete Reason = "ROW_ALREADY_COMPLETE"

// SeedLength: A seed must have 32 bytes.
const SeedLength Reason = "SEED_LENGTH"

// StarColor: A star holds a color that it cannot accept.
const StarColor Reason = "STAR_COLOR"

// SupplyOverfull: The supply holds more than ten tiles.
const SupplyOverfull Reason = "SUPPLY_OVERFULL"

// SupplyShort: The supply holds fewer than ten tiles although there are tiles to fill it.
const SupplyShort Reason = "SUPPLY_SHORT"

// TilesNotConserved: There are not exactly 20 (Summer Pavilion: 22) tiles of every color.
const TilesNotConserved Reason = "TILES_NOT_CONSERVED"

// TilingOnColoredWall: The phase TILING exists on the gray side only.
const TilingOnColoredWall Reason = "TILING_ON_COLORED_WALL"

// TokenNotReturned: A board holds the start player token while it must be in the center.
const TokenNotReturned Reason = "TOKEN_NOT_RETURNED"

// TooLong: A text is longer than allowed.
const TooLong Reason = "TOO_LONG"

// TooMany: A list has more entries than allowed.
const TooMany Reason = "TOO_MANY"

// TooManyKept: A player who has passed holds more than four tiles.
const TooManyKept Reason = "TOO_MANY_KEPT"

// TurnNotStart: Between rounds and in a finished game, turn_seat must be start_seat.
const TurnNotStart Reason = "TURN_NOT_START"

// TurnPassed: The player to decide has passed.
const TurnPassed Reason = "TURN_PASSED"

// UnknownRulesVersion: The engine does not know this version of the rules.
const UnknownRulesVersion Reason = "UNKNOWN_RULES_VERSION"

// WallColorMisplaced: A colored wall shows a color on a space of another color.
const WallColorMisplaced Reason = "WALL_COLOR_MISPLACED"

// WrongCount: A list has the wrong number of entries.
const WrongCount Reason = "WRONG_COUNT"

// RuleBonusSize: Exactly the bonus tiles that are due must be taken.
const RuleBonusSize Rule = "BONUS_SIZE"

// RuleCellCovered: The space on the wall is covered.
const RuleCellCovered Rule = "CELL_COVERED"

// RuleColorAbsent: There are no tiles of this color there.
const RuleColorAbsent Rule = "COLOR_ABSENT"

// RuleColorInColumn: The column of the wall already shows the color.
const RuleColorInColumn Rule = "COLOR_IN_COLUMN"

// RuleColorNotTaken: The star does not accept this color.
const RuleColorNotTaken Rule = "COLOR_NOT_TAKEN"

// RuleColorOnWall: The row of the wall already shows the color.
const RuleColorOnWall Rule = "COLOR_ON_WALL"

// RuleDealDue: A display must be filled before anyone can move.
const RuleDealDue Rule = "DEAL_DUE"

// RuleDealSize: The display takes another number of tiles.
const RuleDealSize Rule = "DEAL_SIZE"

// RuleGameOver: The game is over.
const RuleGameOver Rule = "GAME_OVER"

// RuleKeepSize: Exactly four tiles are kept.
const RuleKeepSize Rule = "KEEP_SIZE"

// RuleLeftInBag: The bag runs empty in this deal, so all its tiles must be dealt.
const RuleLeftInBag Rule = "LEFT_IN_BAG"

// RuleLineComplete: The pattern line is complete.
const RuleLineComplete Rule = "LINE_COMPLETE"

// RuleLineHoldsOtherColor: The pattern line holds tiles of another color.
const RuleLineHoldsOtherColor Rule = "LINE_HOLDS_OTHER_COLOR"

// RuleNaturalsOutOfRange: This number of tiles of the color itself cannot pay for this space.
const RuleNaturalsOutOfRange Rule = "NATURALS_OUT_OF_RANGE"

// RuleNotAcquiring: Tiles are taken in phase 1 only.
const RuleNotAcquiring Rule = "NOT_ACQUIRING"

// RuleNotAtHand: The player does not have these tiles.
const RuleNotAtHand Rule = "NOT_AT_HAND"

// RuleNotDue: No display waits to be filled.
const RuleNotDue Rule = "NOT_DUE"

// RuleNotInBag: The bag does not hold these tiles.
const RuleNotInBag Rule = "NOT_IN_BAG"

// RuleNotInDiscards: Bag and discards together do not hold these tiles.
const RuleNotInDiscards Rule = "NOT_IN_DISCARDS"

// RuleNotInSupply: The supply does not hold these tiles.
const RuleNotInSupply Rule = "NOT_IN_SUPPLY"

// RuleNotKeeping: No player chooses tiles to keep now.
const RuleNotKeeping Rule = "NOT_KEEPING"

// RuleNotOffering: Tiles are taken in the factory offer only.
const RuleNotOffering Rule = "NOT_OFFERING"

// RuleNotPlaying: Tiles are placed, and players pass, only in their turn of phase 2.
const RuleNotPlaying Rule = "NOT_PLAYING"

// RuleNotTiling: No player chooses a space on the wall now.
const RuleNotTiling Rule = "NOT_TILING"

// RuleNoBonusDue: No bonus tiles are due.
const RuleNoBonusDue Rule = "NO_BONUS_DUE"

// RuleNoSuchFactory: The game does not have this factory display.
const RuleNoSuchFactory Rule = "NO_SUCH_FACTORY"

// RuleOtherGame: The move belongs to the other game.
const RuleOtherGame Rule = "OTHER_GAME"

// RuleOtherRowDue: Lines are tiled from the top: another one comes first.
const RuleOtherRowDue Rule = "OTHER_ROW_DUE"

// RuleSetup: A game cannot start like this.
const RuleSetup Rule = "SETUP"

// RuleSpaceCovered: The space of the star is covered.
const RuleSpaceCovered Rule = "SPACE_COVERED"

// RuleTooFewTiles: The player cannot pay for the space, wild tiles included.
const RuleTooFewTiles Rule = "TOO_FEW_TILES"

// RuleWildNotAlone: A wild tile is taken alone only where there is nothing else.
const RuleWildNotAlone Rule = "WILD_NOT_ALONE"

// BadRequest: The call violates the protocol.
const BadRequest Reason = "BAD_REQUEST"

// Cancelled: The caller cancelled the call.
const Cancelled Reason = "CANCELLED"

// GoingAway: The server is shutting down; `RetryInfo` says when to retry.
const GoingAway Reason = "GOING_AWAY"

// Internal: A defect of the server; it is in its log.
const Internal Reason = "INTERNAL"

// MessageTooLarge: The request is larger than the server allows, possibly only after decompression.
const MessageTooLarge Reason = "MESSAGE_TOO_LARGE"

// NoEntropy: The server cannot create a random seed; send one.
const NoEntropy Reason = "NO_ENTROPY"

// Overloaded: The server is overloaded; `RetryInfo` says when to retry.
const Overloaded Reason = "OVERLOADED"

// StreamOnly: The method is a stream: use gRPC, or HTTP POST with application/connect+json, application/connect+proto or application/json.
const StreamOnly Reason = "STREAM_ONLY"

// UnknownMethod: There is no such method; reflection lists them.
const UnknownMethod Reason = "UNKNOWN_METHOD"

// UnsupportedContentType: The server does not support this content type.
const UnsupportedContentType Reason = "UNSUPPORTED_CONTENT_TYPE"

// UnsupportedEncoding: The server does not support this compression. Supported: gzip, identity.
const UnsupportedEncoding Reason = "UNSUPPORTED_ENCODING"

// AlreadyVoided: The match was voided before.
const AlreadyVoided Reason = "ALREADY_VOIDED"

// BadInvitation: The invitation is unknown or was used.
const BadInvitation Reason = "BAD_INVITATION"

// BadName: A name, version or id is not valid; the message says what is allowed.
const BadName Reason = "BAD_NAME"

// BadNonce: A nonce must have 32 bytes.
const BadNonce Reason = "BAD_NONCE"

// BadPageToken: The page token is not from a previous response.
const BadPageToken Reason = "BAD_PAGE_TOKEN"

// BadRequestId: A request id must be a random UUID (version 4).
const BadRequestId Reason = "BAD_REQUEST_ID"

// BadSession: The session is not from a previous response.
const BadSession Reason = "BAD_SESSION"

// BadText: A text is empty, too long, or contains control characters.
const BadText Reason = "BAD_TEXT"

// Banned: An organiser has banned the owner; the message says why.
const Banned Reason = "BANNED"

// ChallengedTwice: A bot can take one seat of a match.
const ChallengedTwice Reason = "CHALLENGED_TWICE"

// Forfeited: The seat has forfeited this match.
const Forfeited Reason = "FORFEITED"

// InvitationNeeded: Registration requires an invitation here.
const InvitationNeeded Reason = "INVITATION_NEEDED"

// MatchNotBegun: Not all seats are ready yet.
const MatchNotBegun Reason = "MATCH_NOT_BEGUN"

// MatchOver: The match is over.
const MatchOver Reason = "MATCH_OVER"

// MoveAlreadyAccepted: Another move was accepted for this turn; `accepted` and `action_id` in the metadata.
const MoveAlreadyAccepted Reason = "MOVE_ALREADY_ACCEPTED"

// NameTaken: The owner already has a bot with this name.
const NameTaken Reason = "NAME_TAKEN"

// NotSeated: The bot does not play in this match.
const NotSeated Reason = "NOT_SEATED"

// NotThere: The bot is not connected, or has no free place.
const NotThere Reason = "NOT_THERE"

// NotYourTurn: Another seat has to decide.
const NotYourTurn Reason = "NOT_YOUR_TURN"

// NoSuchBot: There is no such bot.
const NoSuchBot Reason = "NO_SUCH_BOT"

// NoSuchMatch: There is no such match; for calls of a bot: no running one.
const NoSuchMatch Reason = "NO_SUCH_MATCH"

// NoSuchOwner: There is no such owner.
const NoSuchOwner Reason = "NO_SUCH_OWNER"

// NoSuchPool: There is no such pool; the message shows how they are named.
const NoSuchPool Reason = "NO_SUCH_POOL"

// NoSuchToken: There is no such token, or it belongs to another owner.
const NoSuchToken Reason = "NO_SUCH_TOKEN"

// NoToken: The call requires the header `authorization: Bearer <token>`.
const NoToken Reason = "NO_TOKEN"

// OtherNonce: The seat was already ready, with another nonce.
const OtherNonce Reason = "OTHER_NONCE"

// OtherOwner: The bot belongs to another owner.
const OtherOwner Reason = "OTHER_OWNER"

// OtherToken: The call requires another kind of token.
const OtherToken Reason = "OTHER_TOKEN"

// OutOfTime: The bank was empty before the answer arrived.
const OutOfTime Reason = "OUT_OF_TIME"

// OwnerTaken: The owner exists: use the owner's token. Or the name is reserved, or looks like a reserved one.
const OwnerTaken Reason = "OWNER_TAKEN"

// Paused: The bot is paused.
const Paused Reason = "PAUSED"

// PausedByOrganiser: An organiser has paused the bot, and only an organiser can resume it.
const PausedByOrganiser Reason = "PAUSED_BY_ORGANISER"

// Quota: A limit is reached: `key`, `limit`, `remaining` and `retry_after_ms` in the metadata.
const Quota Reason = "QUOTA"

// Replaced: Another process uses the token.
const Replaced Reason = "REPLACED"

// RequestIdReused: The request id was used before for a request with other contents.
const RequestIdReused Reason = "REQUEST_ID_REUSED"

// Damaged: The match is damaged in the store and cannot be read. Other matches are not affected.
const Damaged Reason = "DAMAGED"

// Restarting: The arena restarts; nothing is lost. Retry.
const Restarting Reason = "RESTARTING"

// SessionEnded: The poll session has ended, for example after a restart of the server or a minute of silence: start a new one.
const SessionEnded Reason = "SESSION_ENDED"

// StaleTurn: Another turn is due, `due` in the metadata. It costs nothing.
const StaleTurn Reason = "STALE_TURN"

// TooSlow: Too many events waited to be fetched; a new stream begins with a snapshot.
const TooSlow Reason = "TOO_SLOW"

// UnknownToken: The token is unknown or was revoked.
const UnknownToken Reason = "UNKNOWN_TOKEN"

// UnusualOptions: The arena plays with the default options of a ruleset only.
const UnusualOptions Reason = "UNUSUAL_OPTIONS"

// Unwilling: The bot does not accept challenges.
const Unwilling Reason = "UNWILLING"

// WrongNumberOfOpponents: Every other seat needs an opponent.
const WrongNumberOfOpponents Reason = "WRONG_NUMBER_OF_OPPONENTS"
