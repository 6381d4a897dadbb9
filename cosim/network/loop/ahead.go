package loop

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/goldwire/goldwire/cosim/device"
	"github.com/goldwire/goldwire/cosim/engine/play"
	rtlccc "github.com/goldwire/goldwire/rtlmodel/ccc"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim"
)

// maxBatch is the greatest number of cycles in a batch of the bridge. With longer batches, the network runs further
// ahead before the device reports a difference, and the journal must hold more answers.
const maxBatch = 1 << 13

// ahead is the block as the model predicts it. The network gets the model's answer at once. The event then goes to the
// device, which is compared with the clocked model in every cycle.
type ahead struct {
	cfg  rtlccc.Config
	rows []rtlccc.State
	from *origin // of the event being given

	feed    *feed
	answers *answers
	player  *play.Player
	dev     *device.Device
	side    device.Side // dev, except in tests
	group   errgroup.Group
	outcome device.Outcome
	cancel  context.CancelFunc // ends the player
}

// startAhead starts the RTL and the player. The player calls over when it ends, so that the network ends too.
func startAhead(ctx context.Context, cfg *Config, from *origin, over func()) (*ahead, error) {
	spec := rtlccc.DefaultSpec()
	model, err := rtlccc.New(spec)
	if err != nil {
		return nil, err
	}
	a := &ahead{cfg: spec.Config(), rows: make([]rtlccc.State, spec.NumContexts), from: from, feed: newFeed()}
	a.answers = &answers{feed: a.feed}
	s, err := connect(ctx, cfg, maxBatch)
	if err != nil {
		return nil, err
	}
	a.dev = &device.Device{Bin: cfg.Binary, Session: s}
	a.side = a.dev
	if cfg.tamper != nil {
		a.side = cfg.tamper(a.dev)
	}
	schema := ccc.Schema()
	a.player = play.New(schema, event.NewLayout(schema), model, a.answers)
	ctx, a.cancel = context.WithCancel(ctx)
	a.group.Go(func() error {
		defer over()
		defer close(a.feed.ended)
		return a.play(ctx)
	})
	return a, nil
}

// play plays the events of the feed to their end, or until the device differs.
func (a *ahead) play(ctx context.Context) error {
	drive := stim.DriveSpec{Resets: []stim.Reset{{Low: 2}}}
	a.player.Begin(stim.Streamed("loop", a.dev.Bin.Block, 1, drive, func(it *stim.Item) bool {
		return a.answers.wrong == nil && a.feed.next(ctx, it)
	}))
	if err := a.player.Stream(ctx, a.side); err != nil {
		return err
	}
	var err error
	a.outcome, err = a.side.Finish()
	return err
}

// do answers an event from the model, and sends it on its way to the device.
func (a *ahead) do(ev *ccc.Event, rsp *ccc.Response) error {
	rtlccc.Apply(&a.cfg, &a.rows[ev.Ctx], ev, rsp)
	if err := taken(ev, rsp); err != nil {
		return err
	}
	return a.feed.put(ev, rsp, a.from)
}

// finish waits until the device has played everything. It returns a leftError when the design differs from the model.
func (a *ahead) finish() (total, error) {
	a.feed.close()
	if err := a.group.Wait(); err != nil {
		return total{}, err
	}
	return total{events: a.answers.compared, cycles: a.player.Played()}, a.judge()
}

// judge returns an error unless the device agrees with every answer that the network got.
func (a *ahead) judge() error {
	p, out, given := a.player, &a.outcome, a.feed.given
	switch {
	case a.answers.wrong != nil:
		return a.answers.wrong
	case out.Failed():
		left := a.answers.journal.at(out.FailedAt())
		if out.RTL != nil {
			left.RTL = out.RTL.Text
		}
		return &leftError{left}
	case p.Events != given || p.Responses != given || a.answers.compared != given:
		return fmt.Errorf("of %d events, %d were played, %d answered and %d answers compared", given, p.Events, p.Responses,
			a.answers.compared)
	case out.Cycles != p.Played() || out.Digest != p.Sum:
		return fmt.Errorf("the device compared %d of %d cycles (digest %016x of %016x)", out.Cycles, p.Played(),
			uint64(out.Digest), uint64(p.Sum))
	}
	return nil
}

// close ends the player and the process.
func (a *ahead) close() {
	a.cancel()
	_ = a.dev.Session.Close() // frees a player that waits for the device
	_ = a.group.Wait()        // finish has returned its error, or the run has failed before
}

// leftError ends a run whose design differs from the model: the network got an answer that the design does not give.
type leftError struct{ at *Left }

func (e *leftError) Error() string { return "the design leaves the model at " + e.at.String() }
