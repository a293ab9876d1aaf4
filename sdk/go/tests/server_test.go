// Package tests runs the SDK against a real server, the binary AZULEJO_BIN.
package tests

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	azulejo "github.com/azulejo-arena/azulejo/sdk/go"
	arenav1 "github.com/azulejo-arena/azulejo/sdk/go/gen/azulejo/arena/v1"
)

// The time after which a test that waits fails.
const patience = 60 * time.Second

type server struct {
	folder, listen, admin string
	// Set if the server uses TLS. Its certificate and key are in the folder.
	secure  *tls.Config
	process *exec.Cmd
}

// newServer starts a server for one test; it ends with the test.
func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{folder: t.TempDir(), listen: freeAddress(t), admin: freeAddress(t)}
	t.Cleanup(s.kill)
	if err := s.start(); err != nil {
		t.Fatal(err)
	}
	return s
}

var (
	common     *server
	commonOnce sync.Once
	commonErr  error
)

// sharedServer returns one server for all tests that do not disturb it. Each test plays in its own pools.
func sharedServer(t *testing.T) *server {
	t.Helper()
	commonOnce.Do(func() {
		common = &server{listen: freeAddress(t), admin: freeAddress(t)}
		if common.folder, commonErr = os.MkdirTemp("", "azulejo-go-"); commonErr == nil {
			commonErr = common.start()
		}
	})
	if commonErr != nil {
		t.Fatal(commonErr)
	}
	return common
}

func (s *server) url() string {
	if s.secure != nil {
		return "https://" + s.listen
	}
	return "http://" + s.listen
}

func binary() string {
	if named := os.Getenv("AZULEJO_BIN"); named != "" {
		return named
	}
	return filepath.Join("..", "..", "..", "target", "release", "azulejo")
}

// start returns when the server responds.
func (s *server) start() error {
	output, err := os.OpenFile(filepath.Join(s.folder, "server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer output.Close()
	s.process = exec.Command(binary(), "serve", "--listen", s.listen, "--admin-listen", s.admin,
		"--store", filepath.Join(s.folder, "arena.db"))
	if s.secure != nil {
		s.process.Args = append(s.process.Args, "--tls-cert", filepath.Join(s.folder, "cert.pem"),
			"--tls-key", filepath.Join(s.folder, "key.pem"))
	}
	s.process.Stdout, s.process.Stderr = output, output
	if err := s.process.Start(); err != nil {
		return fmt.Errorf("AZULEJO_BIN must name the server's binary: %w", err)
	}
	conn, err := azulejo.Dial(azulejo.WithServer(s.url()), azulejo.WithTLS(s.secure))
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for ctx.Err() == nil {
		pools := arenav1.NewLadderServiceClient(conn)
		if _, err = pools.ListPools(ctx, &arenav1.ListPoolsRequest{}, grpc.WaitForReady(true)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("the server does not respond: %w", err)
}

// kill ends the server with SIGKILL.
func (s *server) kill() {
	if s.process != nil && s.process.Process != nil {
		_ = s.process.Process.Kill()
		_ = s.process.Wait()
		s.process = nil
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// register registers a bot with a new owner and returns its token.
func (s *server) register(t *testing.T, name string) string {
	t.Helper()
	registered, err := azulejo.Register(t.Context(), name+"/bot", azulejo.WithServer(s.url()))
	if err != nil {
		t.Fatal(err)
	}
	return registered.GetToken()
}

var (
	numbers sync.Map
	last    atomic.Int64
)

// ownerOf returns a name that is unique to this run of this test.
func ownerOf(t *testing.T, suffix string) string {
	number, known := numbers.Load(t)
	if !known {
		number, _ = numbers.LoadOrStore(t, last.Add(1))
	}
	return fmt.Sprintf("owner-%d%s", number, suffix)
}

func TestMain(m *testing.M) {
	if os.Getenv("AZULEJO_TEST_BOT") != "" {
		patientBot()
		return
	}
	code := m.Run()
	if common != nil {
		common.kill()
		_ = os.RemoveAll(common.folder)
	}
	os.Exit(code)
}
