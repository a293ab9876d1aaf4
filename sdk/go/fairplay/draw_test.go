package fairplay

import (
	"encoding/hex"
	"testing"
)

// RFC 8439, appendix A.1, test vectors 1 and 2: zero key, zero nonce, blocks 0 and 1; and section
// 2.3.2 for the order of counter and nonce.
func Test_the_key_stream_is_that_of_RFC_8439(t *testing.T) {
	var zero, counting [32]byte
	for index := range counting {
		counting[index] = byte(index)
	}
	for _, vector := range []struct {
		key     [32]byte
		nonce   uint64
		counter uint32
		begins  string
	}{
		{zero, 0, 0, "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586"},
		{zero, 0, 1, "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f"},
	} {
		stream := keyStream(vector.key, vector.nonce, vector.counter)
		if hex.EncodeToString(stream[:]) != vector.begins {
			t.Errorf("block %d is %x", vector.counter, stream)
		}
	}
	if keyStream(counting, 0, 1<<32-1) == keyStream(counting, 0, 0) || keyStream(counting, 1, 5) == keyStream(counting, 0, 5) {
		t.Error("two blocks are the same")
	}
}

func Test_a_word_beyond_the_largest_multiple_is_refused_for_the_next(t *testing.T) {
	var all [block]byte
	for index := range all {
		all[index] = 0xff
	}
	if _, fair := fairNumber(all, 100); fair {
		t.Error("a block of refused words decided")
	}
	if number, fair := fairNumber(all, 64); !fair || number != 63 {
		t.Errorf("of 64 tiles number %d", number)
	}
	all[4], all[5], all[6], all[7] = 7, 0, 0, 0
	if number, fair := fairNumber(all, 100); !fair || number != 7 {
		t.Errorf("of 100 tiles number %d", number)
	}
}

func Test_the_discards_are_tipped_when_the_bag_is_empty_and_a_display_may_stay_short(t *testing.T) {
	stock := Stock{Bag: Tiles{1, 0, 0, 0, 0}, Discards: Tiles{0, 2, 0, 0, 0}, Drawn: 40}
	tiles, tipped := stock.Fill([32]byte{1}, 4)
	if tiles.total() != 3 || tiles[0] != 1 || tiles[1] != 2 || tipped == nil || tipped[1] != 2 {
		t.Errorf("drawn %v, tipped %v", tiles, tipped)
	}
	if stock.Drawn != 43 || !stock.empty() {
		t.Errorf("left: %+v", stock)
	}
	if tiles, tipped = stock.Fill([32]byte{1}, 4); tiles.total() != 0 || tipped != nil {
		t.Errorf("out of nothing came %v, %v", tiles, tipped)
	}
}

// The same values as in the server's own test; made by another program.
func Test_commitment_and_seed_are_those_that_others_make(t *testing.T) {
	secret, one, two := make([]byte, 32), make([]byte, 32), make([]byte, 32)
	for index := range secret {
		secret[index], one[index], two[index] = byte(index), 1, 2
	}
	const match = "aaaaaaaaaaaaaaaa"
	commitment := Commitment(match, secret)
	if hex.EncodeToString(commitment[:]) != "c28edc73da27bc5f47814a5b1d598a8c0baff71af4f4225c7e8c295d162865c4" {
		t.Errorf("the commitment is %x", commitment)
	}
	seed := Seed(match, secret, [][]byte{one, nil, two})
	if hex.EncodeToString(seed[:]) != "7cd3c8fcf20a8d7f80749d8c3b51f8022e3fe9e99b9764cf97042b1749d76914" {
		t.Errorf("the seed is %x", seed)
	}
	if Seed(match, secret, [][]byte{two, one}) == Seed(match, secret, [][]byte{one, two}) || Seed("b", secret, nil) == Seed(match, secret, nil) {
		t.Error("the place of a nonce or the match does not count")
	}
}
