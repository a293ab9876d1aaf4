package local

// function is an export of the module, see service/wasm/src/exports.rs.
type function int

const (
	fnPlace function = iota
	fnLiving
	fnRulesets
	fnRoom
	fnGameNew
	fnGameParse
	fnGameObserved
	fnGameState
	fnGameClone
	fnGameCopy
	fnGameFree
	fnGameStatus
	fnGameRuleset
	fnGameRound
	fnGameLegal
	fnGameMask
	fnGameApply
	fnGameApplyText
	fnGameActionText
	fnGameActionId
	fnGameOutcomes
	fnGameDeal
	fnGameSample
	fnGameReturns
	fnGameScores
	fnGameRanks
	fnGameObserve
	fnGameObserveScaled
	fnGameHash
	fnGameText
	fnGameSvg
	fnGameDrawing
	fnGameBestMove
	fnGamePlayOut
	fnGamePlayouts
	fnBatchNew
	fnBatchPlaces
	fnBatchStep
	fnBatchReset
	fnBatchObserve
	fnBatchSample
	fnBatchGame
	fnBatchFree
	fnLayout
	fnVerify
	functions
)

var names = [functions]string{
	fnPlace:             "place",
	fnLiving:            "living",
	fnRulesets:          "rulesets",
	fnRoom:              "room",
	fnGameNew:           "game_new",
	fnGameParse:         "game_parse",
	fnGameObserved:      "game_observed",
	fnGameState:         "game_state",
	fnGameClone:         "game_clone",
	fnGameCopy:          "game_copy",
	fnGameFree:          "game_free",
	fnGameStatus:        "game_status",
	fnGameRuleset:       "game_ruleset",
	fnGameRound:         "game_round",
	fnGameLegal:         "game_legal",
	fnGameMask:          "game_mask",
	fnGameApply:         "game_apply",
	fnGameApplyText:     "game_apply_text",
	fnGameActionText:    "game_action_text",
	fnGameActionId:      "game_action_id",
	fnGameOutcomes:      "game_outcomes",
	fnGameDeal:          "game_deal",
	fnGameSample:        "game_sample",
	fnGameReturns:       "game_returns",
	fnGameScores:        "game_scores",
	fnGameRanks:         "game_ranks",
	fnGameObserve:       "game_observe",
	fnGameObserveScaled: "game_observe_scaled",
	fnGameHash:          "game_hash",
	fnGameText:          "game_text",
	fnGameSvg:           "game_svg",
	fnGameDrawing:       "game_drawing",
	fnGameBestMove:      "game_best_move",
	fnGamePlayOut:       "game_play_out",
	fnGamePlayouts:      "game_playouts",
	fnBatchNew:          "batch_new",
	fnBatchPlaces:       "batch_places",
	fnBatchStep:         "batch_step",
	fnBatchReset:        "batch_reset",
	fnBatchObserve:      "batch_observe",
	fnBatchSample:       "batch_sample",
	fnBatchGame:         "batch_game",
	fnBatchFree:         "batch_free",
	fnLayout:            "layout",
	fnVerify:            "verify",
}
