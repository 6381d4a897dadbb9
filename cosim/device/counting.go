package device

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/goldwire/goldwire/bridge/client"
)

// Counting is a design whose code is counted, in two builds. The device plays the run and samples toggles. Lines counts
// lines and branches too, which takes three to four times as long, and so it only plays the beginnings of episodes over
// again, as far as its share of the cycles goes.
type Counting struct {
	*Device
	Lines *Device
	// LinesFile and TogglesFile are what the builds leave when they are closed; see codecov.Collect.
	LinesFile, TogglesFile string

	share      Share
	lines, all uint64 // cycles that Lines played, and the device
	open       bool   // Lines goes on with the episode
	begun      bool   // it has played its beginning
	given      uint64 // cycles of it
}

// Side is what plays episodes: a Device, or a Counting.
type Side interface {
	Restart(seed uint32) error
	Get(ctx context.Context) (*client.Batch, error)
	Submit(b *client.Batch) error
	Finish() (Outcome, error)
}

// Share is how much of a run Lines plays: Least cycles and one of linesShare, or all of it.
type Share struct {
	Least uint64
	Every bool
}

// linesShare is how many cycles are played for each one that counts lines, besides the least share.
const linesShare = 128

// StartCounting builds and starts both builds of a design, which leave their coverage in a folder.
func StartCounting(ctx context.Context, s Spec, share Share, dir string) (*Counting, error) {
	c := &Counting{LinesFile: filepath.Join(dir, "lines"), TogglesFile: filepath.Join(dir, "toggles"), share: share}
	var err error
	s.Toggles, s.Coverage = true, c.TogglesFile
	if c.Device, err = Start(ctx, s); err != nil {
		return nil, err
	}
	s.Lines, s.Coverage = true, c.LinesFile
	if c.Lines, err = Start(ctx, s); err != nil {
		c.Device.Close()
		return nil, err
	}
	if c.Device.Bin.Origin.Design != c.Lines.Bin.Origin.Design {
		c.Close()
		return nil, errors.New("code coverage: the design was edited between its two builds; run again when nothing " +
			"writes to it")
	}
	return c, nil
}

// room is how many more cycles Lines may play.
func (c *Counting) room() uint64 {
	if most := c.share.Least + c.all/linesShare; most > c.lines {
		return most - c.lines
	}
	return 0
}

// Restart starts an episode on both, on Lines when it has room.
func (c *Counting) Restart(seed uint32) error {
	c.open = c.share.Every || c.room() > 0
	c.begun, c.given = c.open, 0
	if c.open {
		if err := c.Lines.Restart(seed); err != nil {
			return err
		}
	}
	return c.Device.Restart(seed)
}

// Submit sends a batch to the device, and its beginning to Lines.
func (c *Counting) Submit(b *client.Batch) error {
	c.all += uint64(b.Len())
	if c.open {
		if err := c.again(b); err != nil {
			return err
		}
	}
	return c.Device.Submit(b)
}

// again plays the beginning of a batch on Lines.
func (c *Counting) again(b *client.Batch) error {
	in, want := b.Records()
	n := uint64(b.Len())
	if !c.share.Every {
		n = min(n, c.room())
		c.open = n == uint64(b.Len()) // an episode has one beginning
	}
	for n > 0 {
		to, err := c.Lines.Session.Get()
		if errors.Is(err, client.ErrStopped) { // Finish says why
			c.open = false
			return nil
		}
		if err != nil {
			return err
		}
		k := uint64(to.Append(in[:n*uint64(c.Bin.InWords)], want[:n*uint64(c.Bin.OutWords)]))
		in, want, n = in[k*uint64(c.Bin.InWords):], want[k*uint64(c.Bin.OutWords):], n-k
		c.given, c.lines = c.given+k, c.lines+k
		if err := c.Lines.Submit(to); err != nil {
			return err
		}
	}
	return nil
}

// Finish ends the episode on both and returns how it ended on the device. It is an error when Lines finds a difference
// where the device found none.
func (c *Counting) Finish() (Outcome, error) {
	out, err := c.Device.Finish()
	if !c.begun {
		return out, err
	}
	c.open, c.begun = false, false
	again, errLines := c.Lines.Finish()
	switch {
	case err != nil || out.Failed():
		return out, err
	case errLines != nil:
		return out, fmt.Errorf("the build that counts lines: %w", errLines)
	case again.Failed() || again.Cycles != c.given:
		return out, fmt.Errorf("the build that counts lines agrees in %d of %d cycles, and the other one in all: one of "+
			"them is broken; remove build/dut", again.Cycles, c.given)
	}
	return out, nil
}

// Cycles returns how many cycles Lines has played, and the device.
func (c *Counting) Cycles() (lines, all uint64) { return c.lines, c.all }

// Close ends both processes; they leave their files.
func (c *Counting) Close() {
	c.Lines.Close()
	c.Device.Close()
}
