package azulejo

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"time"

	"google.golang.org/grpc"
	grpcbackoff "google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
)

// A call without an answer fails after this time.
const callTimeout = 10 * time.Second

// Round robin over all addresses of the name. Calls that a stopped replica did not answer are retried:
// every call of the engine may be repeated.
const engineConfig = `{
	"loadBalancingConfig": [{"round_robin": {}}],
	"methodConfig": [{
		"name": [{"service": "azulejo.engine.v1.EngineService"}],
		"retryPolicy": {
			"maxAttempts": 4, "initialBackoff": "0.05s", "maxBackoff": "1s", "backoffMultiplier": 2,
			"retryableStatusCodes": ["UNAVAILABLE"]
		}
	}]
}`

// Dial opens a connection for the generated clients in the packages below gen, for example ladder and
// matches. Errors of unary calls are of type [Error]. The token, if there is one, is sent with every
// call. The connection is opened by the first call.
func Dial(given ...Option) (*grpc.ClientConn, error) { return dial(optionsOf(given)) }

func dial(o *options) (*grpc.ClientConn, error) {
	target, secure, err := parseServer(o.server)
	if err != nil {
		return nil, err
	}
	transport := insecure.NewCredentials()
	if secure {
		transport = credentials.NewTLS(o.tls)
	}
	dialing := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithUserAgent("azulejo-go/" + Version),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{
			Time: 10 * time.Second, Timeout: 5 * time.Second, PermitWithoutStream: true,
		}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff: grpcbackoff.Config{
				BaseDelay: 50 * time.Millisecond, Multiplier: 1.6, Jitter: 0.5, MaxDelay: 2 * time.Second,
			},
			MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64 << 20)),
		grpc.WithUnaryInterceptor(o.unary),
		grpc.WithStreamInterceptor(o.stream),
	}
	if o.balanceRoundRobin {
		dialing = append(dialing, grpc.WithDefaultServiceConfig(engineConfig))
	}
	return grpc.NewClient(target, dialing...)
}

// parseServer returns a gRPC target that is resolved by DNS, again after each lost connection.
func parseServer(address string) (target string, secure bool, err error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Hostname() == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") ||
		(parsed.Path != "" && parsed.Path != "/") {
		return "", false, fmt.Errorf("invalid server address %q: write it like %s", address, DefaultServer)
	}
	secure = parsed.Scheme == "https"
	port := parsed.Port()
	if port == "" {
		port = map[bool]string{false: "80", true: "443"}[secure]
	}
	return "dns:///" + net.JoinHostPort(parsed.Hostname(), port), secure, nil
}

// outgoing adds the headers for authentication and tracing.
func (o *options) outgoing(ctx context.Context) context.Context {
	if o.token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+o.token)
	}
	if o.traceparent != nil {
		if parent := o.traceparent(ctx); parent != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, "traceparent", parent)
		}
	}
	return ctx
}

func (o *options) unary(ctx context.Context, method string, request, answer any,
	conn *grpc.ClientConn, invoke grpc.UnaryInvoker, calling ...grpc.CallOption) error {
	ctx, cancel := context.WithTimeout(o.outgoing(ctx), callTimeout)
	defer cancel()
	if err := asError(invoke(ctx, method, request, answer, conn, calling...)); err != nil {
		return err
	}
	return nil
}

func (o *options) stream(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn,
	method string, open grpc.Streamer, calling ...grpc.CallOption) (grpc.ClientStream, error) {
	opened, err := open(o.outgoing(ctx), desc, conn, method, calling...)
	if refused := asError(err); refused != nil {
		return nil, refused
	}
	return opened, nil
}
