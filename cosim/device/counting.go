package device

import (
	"context"
	"path/filepath"
)

// linesShare is about how many cycles are played for each one that counts lines, which takes three to four times as
// long.
const linesShare = 32

// Counting is a design whose code is counted, in two builds. Both sample toggles; Lines counts lines and branches too,
// which takes so long that it plays only the first episode and then one of many.
type Counting struct {
	Lines, Toggles *Device
	// LinesFile and TogglesFile are what the builds leave when they are closed; see codecov.Collect.
	LinesFile, TogglesFile string

	lines, all uint64 // cycles that Lines played, and both
}

// StartCounting builds and starts both builds of a design, which leave their coverage in a folder.
func StartCounting(ctx context.Context, s Spec, dir string) (*Counting, error) {
	c := &Counting{LinesFile: filepath.Join(dir, "lines"), TogglesFile: filepath.Join(dir, "toggles")}
	var err error
	s.Toggles = true
	s.Coverage = c.TogglesFile
	if c.Toggles, err = Start(ctx, s); err != nil {
		return nil, err
	}
	s.Lines, s.Coverage = true, c.LinesFile
	if c.Lines, err = Start(ctx, s); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// Next returns the device that plays the next episode: Lines for the first, for each one when every is true, and
// whenever its share of the cycles has become small. It depends on the cycles of the episodes alone.
func (c *Counting) Next(every bool) *Device {
	if every || c.lines*linesShare <= c.all {
		return c.Lines
	}
	return c.Toggles
}

// Played notes that a device has played an episode of so many cycles.
func (c *Counting) Played(d *Device, cycles uint64) {
	c.all += cycles
	if d == c.Lines {
		c.lines += cycles
	}
}

// Cycles returns how many cycles each device has played.
func (c *Counting) Cycles() (lines, toggles uint64) { return c.lines, c.all - c.lines }

// Close ends both processes; they leave their files.
func (c *Counting) Close() {
	for _, d := range []*Device{c.Lines, c.Toggles} {
		if d != nil {
			d.Close()
		}
	}
}
