package run

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/stim"
)

// within returns an error if the episode is beyond the last one that a run of this many events plays of the random
// source.
func within(ctx context.Context, cfg *Config, open func(string) (stim.Source, error)) error {
	number, ok := strings.CutPrefix(cfg.Episode, "random/")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return nil // opening the source checks it
	}
	src, err := open("random")
	if err != nil {
		return err
	}
	defer src.Close()
	for i := range n + 1 {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, more := src.Next(); !more {
			if err := src.Err(); err != nil {
				return err
			}
			return fmt.Errorf("%w: episode %s is beyond the last of %d events with seed %d, random/%d: give more --events or "+
				"an episode before it",
				ErrConfig, cfg.Episode, cfg.Events, cfg.Seed, i-1)
		}
	}
	return nil
}
