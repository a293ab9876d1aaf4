package azulejo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	gamev1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/game/v1"
)

// Sides of the player boards.
const (
	// Colored: every place shows its color.
	Colored = gamev1.BoardSide_BOARD_SIDE_COLORED
	// Gray: players choose which color goes where.
	Gray = gamev1.BoardSide_BOARD_SIDE_GRAY
)

// Azul is the ruleset of Azul on this side of the boards, for 2 to 4 players.
func Azul(side gamev1.BoardSide, players int) *Ruleset {
	rules := &gamev1.AzulRules{Side: side, Players: uint32(players)}
	return &Ruleset{Game: &gamev1.Ruleset_Azul{Azul: rules}}
}

// SummerPavilion is the ruleset of Azul: Summer Pavilion on this side of the boards, for 2 to 4
// players.
func SummerPavilion(side gamev1.BoardSide, players int) *Ruleset {
	rules := &gamev1.SummerPavilionRules{Side: side, Players: uint32(players)}
	return &Ruleset{Game: &gamev1.Ruleset_SummerPavilion{SummerPavilion: rules}}
}

// ParseRuleset reads the name of a ruleset as pools have it: azul-colored-2, summer-pavilion-gray-4.
func ParseRuleset(key string) (*Ruleset, error) {
	wrong := fmt.Errorf("%q names no ruleset; they are named like azul-colored-2 or summer-pavilion-gray-4", key)
	parts := strings.Split(key, "-")
	if len(parts) < 3 {
		return nil, wrong
	}
	game := strings.Join(parts[:len(parts)-2], "-")
	side := map[string]gamev1.BoardSide{"colored": Colored, "gray": Gray}[parts[len(parts)-2]]
	players, err := strconv.Atoi(parts[len(parts)-1])
	if err != nil || side == 0 || !slices.Contains([]int{2, 3, 4}, players) {
		return nil, wrong
	}
	switch game {
	case "azul":
		return Azul(side, players), nil
	case "summer-pavilion":
		return SummerPavilion(side, players), nil
	}
	return nil, wrong
}
