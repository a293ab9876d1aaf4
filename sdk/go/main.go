package azulejo

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Main is [Run] as a whole program: it stops cleanly on SIGINT and SIGTERM, and exits with 1 after
// saying why if the bot cannot go on.
func Main(bot Bot, given ...Option) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := Run(ctx, bot, given...)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the bot ends:", err)
		os.Exit(1)
	}
}
