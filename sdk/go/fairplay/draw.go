package fairplay

import (
	"encoding/binary"

	"golang.org/x/crypto/chacha20"
)

const block = 64

// Tiles is the number of tiles of each color, in the order of the contract's color enum: five colors in
// Azul, six in Summer Pavilion.
type Tiles []uint32

func (t Tiles) total() (sum uint32) {
	for _, count := range t {
		sum += count
	}
	return sum
}

func (t Tiles) add(other Tiles) {
	for color, count := range other {
		t[color] += count
	}
}

// Draw returns the color (counted from 0) of tile number drawn of the game with this seed, from this
// bag. The bag must not be empty.
func Draw(seed [32]byte, drawn uint32, bag Tiles) int {
	number := uint32(0)
	for nonce := uint64(0); ; nonce++ {
		var fair bool
		if number, fair = fairNumber(keyStream(seed, nonce, drawn), bag.total()); fair {
			break
		}
	}
	for color, count := range bag {
		if number < count {
			return color
		}
		number -= count
	}
	panic("fairplay: draw from an empty bag")
}

// keyStream returns one block of ChaCha20 (RFC 8439).
func keyStream(seed [32]byte, nonce uint64, counter uint32) [block]byte {
	var nonceBytes [chacha20.NonceSize]byte
	binary.LittleEndian.PutUint64(nonceBytes[:], nonce)
	cipher, err := chacha20.NewUnauthenticatedCipher(seed[:], nonceBytes[:])
	if err != nil {
		panic(err) // Fails only for other lengths.
	}
	cipher.SetCounter(counter)
	var stream [block]byte
	cipher.XORKeyStream(stream[:], stream[:])
	return stream
}

// fairNumber returns a uniformly distributed number below n, or false if all words of the block are
// rejected.
func fairNumber(stream [block]byte, n uint32) (uint32, bool) {
	limit := (uint64(1) << 32) / uint64(n) * uint64(n)
	for at := 0; at < block; at += 4 {
		word := binary.LittleEndian.Uint32(stream[at:])
		if uint64(word) < limit {
			return word % n, true
		}
	}
	return 0, false
}

// Stock is the bag, and the discards (the lid of Azul, the tower of Summer Pavilion) that are returned
// to it when it is empty.
type Stock struct {
	Bag, Discards Tiles
	// Drawn is the number of tiles drawn since the start of the game.
	Drawn uint32
}

// Fill draws up to room tiles. If the discards were returned to the bag, tipped is what they held.
func (s *Stock) Fill(seed [32]byte, room uint32) (tiles, tipped Tiles) {
	tiles = make(Tiles, len(s.Bag))
	for ; room > 0 && !s.empty(); room-- {
		if s.Bag.total() == 0 {
			tipped = s.Discards
			s.Bag, s.Discards = tipped, make(Tiles, len(tipped))
			tipped = append(Tiles(nil), tipped...)
		}
		color := Draw(seed, s.Drawn, s.Bag)
		s.Bag[color]--
		s.Drawn++
		tiles[color]++
	}
	return tiles, tipped
}

func (s *Stock) empty() bool { return s.Bag.total() == 0 && s.Discards.total() == 0 }
