package elastic

import (
	"context"
	"errors"

	"github.com/goldwire/goldwire/vectors/stim"
)

// PlayAgainst plays an episode on a device whose reference is a second one. With one input stream the two run
// apart: what is owed follows from the order of the events alone. With several, answers may depend on the cycles in
// which events meet, as those of an arbiter do; the two run together then for as long as they keep the same time.
// Two that do not are restarted, by restart, and run apart: what is owed then follows from the order in which the
// device took the events.
//
// exp is peer, or wraps it.
func PlayAgainst(ctx context.Context, dev Device, peer *Peer, exp Expect, ep *stim.Episode, spec Spec,
	restart func() error) (Outcome, error) {
	if !peer.Several() {
		return Play(ctx, dev, exp, ep, spec)
	}
	var taken []stim.Item
	tap := ep.Tap
	ep.Tap = func(it *stim.Item) {
		taken = append(taken, it.Clone())
		if tap != nil {
			tap(it)
		}
	}
	peer.Together(true)
	if err := restart(); err != nil {
		return Outcome{}, err
	}
	out, err := Play(ctx, dev, exp, ep, spec)
	if ep.Tap = tap; !errors.Is(err, ErrParted) {
		return out, err
	}
	peer.Together(false)
	if err := restart(); err != nil {
		return Outcome{}, err
	}
	return Play(ctx, dev, exp, stim.Again(ep, taken), spec)
}
