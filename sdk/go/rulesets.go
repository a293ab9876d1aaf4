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
	// Colored: every space shows its color.
	Colored = gamev1.BoardSide_BOARD_SIDE_COLORED
	// Gray: the players choose the colors, within the rules.
	Gray = gamev1.BoardSide_BOARD_SIDE_GRAY
)

// Azul returns the ruleset of Azul with this side of the boards, for 2 to 4 players.
func Azul(side gamev1.BoardSide, players int) *Ruleset {
	rules := &gamev1.AzulRules{Side: side, Players: uint32(players)}
	return &Ruleset{Game: &gamev1.Ruleset_Azul{Azul: rules}}
}

// SummerPavilion returns the ruleset of Azul: Summer Pavilion with this side of the boards, for 2 to 4
// players.
func SummerPavilion(side gamev1.BoardSide, players int) *Ruleset {
	rules := &gamev1.SummerPavilionRules{Side: side, Players: uint32(players)}
	return &Ruleset{Game: &gamev1.Ruleset_SummerPavilion{SummerPavilion: rules}}
}

// ParseRuleset reads the key of a ruleset, for example azul-colored-2 or summer-pavilion-gray-4.
func ParseRuleset(key string) (*Ruleset, error) {
	wrong := fmt.Errorf("unknown ruleset %q: write it like azul-colored-2 or summer-pavilion-gray-4", key)
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
