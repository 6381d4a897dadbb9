package diff

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// Play hands the events of a source out, one at a time, with a call of reset before each episode and at each reset
// within one. It stops after limit events, 0 for none, and returns how many there were and the source's error.
func Play(src stim.Source, limit uint64, reset func(), event func(*ccc.Event) error) (n uint64, err error) {
	return playTimed(src, limit, reset, func(ev *ccc.Event, _ *stim.Episode) error { return event(ev) })
}

// playTimed is Play for who asks the episode for the event's times in picoseconds.
func playTimed(src stim.Source, limit uint64, reset func(), event func(*ccc.Event, *stim.Episode) error) (n uint64,
	err error) {
	defer src.Close()
	var words [ccc.InWords]uint64
	var ev ccc.Event
	for {
		ep, ok := src.Next()
		if !ok {
			return n, src.Err()
		}
		reset()
		resets := ep.Drive.Resets
		for i := 0; ep.Next(words[:]); i++ {
			for len(resets) > 0 && resets[0].After <= i {
				if resets[0].After > 0 {
					reset()
				}
				resets = resets[1:]
			}
			ccc.UnpackEvent(words[:], &ev)
			if err := event(&ev, ep); err != nil {
				return n, err
			}
			if n++; n == limit {
				return n, src.Err()
			}
		}
	}
}
