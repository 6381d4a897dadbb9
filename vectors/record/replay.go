package record

import (
	"github.com/goldwire/goldwire/vectors/stim"
)

// Replay draws how an episode of a file is driven, as a random source does: idles and back-pressure of a block with
// that many input and output streams, and the length of the reset that brings the block up. Its items keep their order
// among streams, but do not wait for ever: a design may take one stream's only once another's is offered.
func Replay(block, name string, seed uint64, ins, outs int) stim.DriveSpec {
	r := stim.Seeded(seed, block, name, 3)
	d := stim.DriveSpec{Idle: stim.DrawIdle(&r), Yield: stim.StuckCycles}
	// A file may have few episodes, so each stalls every output, with or without long open runs in between.
	stall := func() stim.Gate {
		if g := stim.DrawStall(&r); g != (stim.Gate{}) {
			return g
		}
		return stim.Bursts(100+r.N(300), 40+r.N(60))
	}
	for d.Stall = stall(); len(d.StallMore) < outs-1; {
		d.StallMore = append(d.StallMore, stall())
	}
	for range ins - 1 {
		d.IdleMore = append(d.IdleMore, stim.DrawIdle(&r))
	}
	d.Resets = append(d.Resets, stim.Reset{Low: 2 + r.N(3)})
	return d
}

// Midway draws after how many events of a file's episode a reset comes, after which the episode starts again; 0, in
// three of four episodes, for no such reset.
func Midway(block, name string, seed uint64) int {
	r := stim.Seeded(seed, block, name, 4)
	if !r.One(4) {
		return 0
	}
	return 1 + r.N(stim.Lookahead)
}
