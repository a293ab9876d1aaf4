package azulejo

import (
	"crypto/rand"
	"encoding/hex"
)

// newRequestID returns a random UUID (version 4, RFC 9562). The server recognizes a repeated request
// by it, so a logical call gets one, which all its retries share.
func newRequestID() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // Never fails.
	id[6] = id[6]&0x0f | 0x40
	id[8] = id[8]&0x3f | 0x80
	text := hex.EncodeToString(id[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}
