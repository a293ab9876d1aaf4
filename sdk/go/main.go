package azulejo

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main is [Run] as a complete program: SIGINT and SIGTERM stop it, and an error is printed and ends it
// with exit code 1.
func Main(bot Bot, given ...Option) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := Run(ctx, bot, given...)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bot stopped:", err)
		os.Exit(1)
	}
}
