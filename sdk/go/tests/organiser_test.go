package tests

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// pausedBot keeps how it was paused.
type pausedBot struct {
	recorder
	pauses chan *azulejo.Paused
}

func (b *pausedBot) Paused(_ context.Context, paused *azulejo.Paused) {
	b.pauses <- paused
}

func Test_a_bot_learns_that_it_is_paused_at_once_and_when_it_reconnects(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	written := must(os.ReadFile(filepath.Join(s.folder, "arena.db.admin-token")))
	organiser := strings.TrimSpace(string(written))
	conn := must(azulejo.Dial(azulejo.WithServer(s.url()), azulejo.WithToken(organiser)))
	defer conn.Close()
	bot := &pausedBot{pauses: make(chan *azulejo.Paused, 8)}
	token := s.register(t, "one")
	mine := play(t, s, token, bot)
	if !mine.log.waitFor(t.Context(), "msg=heartbeat", 1) {
		t.Fatal("it never connected")
	}
	request := &arenav1.PauseBotRequest{Bot: "one/bot", Note: "maintenance"}
	if _, err := arenav1.NewAdminServiceClient(conn).PauseBot(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	expectPause := func() {
		t.Helper()
		select {
		case paused := <-bot.pauses:
			if paused.GetPauseReason() != arenav1.PauseReason_PAUSE_REASON_ORGANISER || paused.GetNote() != "maintenance" ||
				paused.GetMatchId() != "" {
				t.Errorf("paused: %v", paused)
			}
		case <-time.After(patience):
			t.Fatal("the hook was not called")
		}
	}
	expectPause()
	mine.stop()
	mine.mustEnd()
	again := play(t, s, token, bot)
	expectPause()
	again.stop()
	again.mustEnd()
}

func Test_an_owner_registers_a_second_bot(t *testing.T) {
	t.Parallel()
	s := sharedServer(t)
	owner := ownerOf(t, "")
	first := must(azulejo.Register(t.Context(), owner+"/one", azulejo.WithServer(s.url())))
	second := must(azulejo.Register(t.Context(), owner+"/two", azulejo.WithServer(s.url()), azulejo.WithOwnerToken(first.GetOwnerToken())))
	if second.GetBot().GetId() != owner+"/two" || second.GetToken() == "" || second.GetOwnerToken() != "" {
		t.Errorf("registered %v", second.GetBot())
	}
}

func Test_bots_and_engine_clients_use_TLS(t *testing.T) {
	t.Parallel()
	s := &server{folder: t.TempDir(), listen: freeAddress(t), admin: freeAddress(t), secure: &tls.Config{}}
	t.Cleanup(s.kill)
	s.secure.RootCAs = certificate(t, s.folder)
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	with := []azulejo.Option{azulejo.WithServer(s.url()), azulejo.WithTLS(s.secure)}
	e := must(azulejo.NewEngine(with...))
	defer e.Close()
	must(e.ListRulesets(t.Context()))
	registered := must(azulejo.Register(t.Context(), "one/bot", with...))
	bot := &recorder{}
	play(t, s, registered.GetToken(), bot, azulejo.WithTLS(s.secure), azulejo.WithMatches(1),
		azulejo.WithChallenge(azulejo.Azul(azulejo.Colored, 2), "random")).mustEnd()
	finished(t, bot.ended[0])
}

// certificate writes a certificate for 127.0.0.1 and its key, and returns a pool that trusts it.
func certificate(t *testing.T, folder string) *x509.CertPool {
	t.Helper()
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	signed := must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: signed},
		"key.pem":  {Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(key))},
	} {
		if err := os.WriteFile(filepath.Join(folder, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	pool := x509.NewCertPool()
	pool.AddCert(must(x509.ParseCertificate(signed)))
	return pool
}
