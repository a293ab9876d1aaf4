package tests

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	"github.com/azulejo-arena/azulejo/sdk/go/fairplay"
)

// vectors reads a file that all SDKs share. A missing file is a failure.
func vectors[V any](t *testing.T, name string) []V {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "tests", "sdk", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	var read []V
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if len(read) == 0 {
		t.Fatalf("%s is empty", name)
	}
	return read
}

// hex32 is 32 bytes in hexadecimal digits.
type hex32 [32]byte

func (h *hex32) UnmarshalText(text []byte) error {
	bytes, err := hex.DecodeString(string(text))
	if err != nil || len(bytes) != 32 {
		return fmt.Errorf("%q is not 64 hexadecimal digits", text)
	}
	copy(h[:], bytes)
	return nil
}

// The colors in the order of the contract's enums.
var (
	azulColors     = []string{"blue", "yellow", "red", "black", "white"}
	pavilionColors = []string{"orange", "red", "blue", "yellow", "green", "purple"}
)

// colorsOf returns the colors of the game that has these.
func colorsOf(t *testing.T, counts ...map[string]uint32) []string {
	t.Helper()
	isAzul := true
	for _, each := range counts {
		for color := range each {
			if !slices.Contains(pavilionColors, color) && !slices.Contains(azulColors, color) {
				t.Fatalf("unknown color: %q", color)
			}
			isAzul = isAzul && slices.Contains(azulColors, color)
		}
	}
	if isAzul {
		return azulColors
	}
	return pavilionColors
}

func tilesOf(counts map[string]uint32, colors []string) fairplay.Tiles {
	tiles := make(fairplay.Tiles, len(colors))
	for index, color := range colors {
		tiles[index] = counts[color]
	}
	return tiles
}

func Test_every_draw_is_that_of_the_shared_vectors(t *testing.T) {
	for index, vector := range vectors[struct {
		Seed  hex32
		Drawn uint32
		Bag   map[string]uint32
		Lid   map[string]uint32
		Count int
		Tiles []string
	}](t, "draw.json") {
		colors := colorsOf(t, vector.Bag, vector.Lid)
		stock := fairplay.Stock{Bag: tilesOf(vector.Bag, colors), Discards: tilesOf(vector.Lid, colors), Drawn: vector.Drawn}
		drawn := []string{}
		for range vector.Count {
			tiles, _ := stock.Fill(vector.Seed, 1)
			for color, count := range tiles {
				if count > 0 {
					drawn = append(drawn, colors[color])
				}
			}
		}
		if !slices.Equal(drawn, vector.Tiles) {
			t.Errorf("vector %d: %v instead of %v", index, drawn, vector.Tiles)
		}
	}
}

func Test_commitments_and_seeds_are_those_of_the_shared_vectors(t *testing.T) {
	for _, vector := range vectors[struct {
		MatchID          string `json:"match_id"`
		Secret           hex32
		Nonces           []*hex32
		Commitment, Seed hex32
	}](t, "fairness.json") {
		nonces := make([][]byte, len(vector.Nonces))
		for seat, nonce := range vector.Nonces {
			if nonce != nil {
				nonces[seat] = nonce[:]
			}
		}
		if fairplay.Commitment(vector.MatchID, vector.Secret[:]) != vector.Commitment {
			t.Errorf("the commitment of %s differs", vector.MatchID)
		}
		if fairplay.Seed(vector.MatchID, vector.Secret[:], nonces) != vector.Seed {
			t.Errorf("the seed of %s differs", vector.MatchID)
		}
	}
}

func Test_games_are_those_of_the_shared_transcripts(t *testing.T) {
	for _, vector := range vectors[struct {
		Ruleset string
		Seed    hex32
		SHA256  hex32
	}](t, "transcripts.json") {
		if hash := transcript(t, vector.Ruleset, vector.Seed); hash != vector.SHA256 {
			t.Errorf("the game of %s with seed %x hashes to %x", vector.Ruleset, vector.Seed, hash)
		}
	}
}

// transcript plays move number (turn mod moves) at every turn, and hashes moves and totals.
func transcript(t *testing.T, key string, seed [32]byte) [32]byte {
	t.Helper()
	e, ctx := engine(t), t.Context()
	ruleset := must(azulejo.ParseRuleset(key))
	chance := azulejo.SeedKey(seed[:])
	state := must(e.NewGame(ctx, ruleset, chance)).GetState()
	var text strings.Builder
	for turn := 0; ; turn++ {
		legal := must(e.LegalMoves(ctx, state)).GetMoves()
		if len(legal) == 0 {
			break
		}
		move := legal[turn%len(legal)]
		fmt.Fprintln(&text, move.GetNotation())
		state = must(e.Apply(ctx, state, azulejo.Pick(move), chance)).GetState()
	}
	var totals []string
	for _, seat := range must(e.Score(ctx, state)).GetScore().GetSeats() {
		totals = append(totals, fmt.Sprint(seat.GetTotal()))
	}
	fmt.Fprintln(&text, strings.Join(totals, " "))
	return sha256.Sum256([]byte(text.String()))
}

func Test_the_same_game_has_the_same_transcript_every_time(t *testing.T) {
	t.Parallel()
	one, again, other := transcript(t, "azul-gray-3", [32]byte{1}), transcript(t, "azul-gray-3", [32]byte{1}), transcript(t, "azul-gray-3", [32]byte{2})
	if one != again || one == other {
		t.Errorf("%x, %x, %x", one, again, other)
	}
}

// The same draws as the engine, with other seeds than those of the shared vectors.
func Test_draws_are_those_of_the_engine(t *testing.T) {
	t.Parallel()
	e, ctx := engine(t), t.Context()
	for number := range byte(20) {
		seed := [32]byte{number, 7}
		state := must(e.NewGame(ctx, azulejo.Azul(azulejo.Colored, 4), azulejo.SeedKey(seed[:]))).GetState().GetAzul()
		stock := fairplay.Stock{Bag: fairplay.Tiles{20, 20, 20, 20, 20}, Discards: make(fairplay.Tiles, 5)}
		for index, factory := range state.GetFactories() {
			tiles, _ := stock.Fill(seed, 4)
			dealt := fairplay.Tiles{factory.GetBlue(), factory.GetYellow(), factory.GetRed(), factory.GetBlack(), factory.GetWhite()}
			if !slices.Equal(tiles, dealt) {
				t.Errorf("seed %d, factory %d: %v instead of %v", number, index+1, tiles, dealt)
			}
		}
	}
}
