package ccc

import (
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

// place lays a case out: side by side over several contexts, then once more over a single one, so that every rule is
// met with the pipeline full of neighbours and back to back in one context.
func place(c *casefile.Case, params map[string]int) []casefile.Placed {
	n := params["NumContexts"]
	k := min(casefile.Copies, n)
	ids := make([]int, k)
	for i := range ids {
		ids[i] = i * (n - 1) / max(k-1, 1)
	}
	slots := params["NumPdcs"]
	return append(placeOver(c, ids, slots, false), placeOver(c, ids[k/2:k/2+1], slots, true)...)
}

// placeOver lays a case out over the contexts of the given numbers, which have so
// many slots; again says that it has been played before in the same episode.
func placeOver(c *casefile.Case, ids []int, slots int, again bool) (out []casefile.Placed) {
	put := func(ev ccc.Event, p casefile.Placed) {
		p.Words = make([]uint64, ccc.EventWords)
		ccc.PackEvent(&ev, p.Words)
		out = append(out, p)
	}
	if again {
		// Restore the registers that the case has changed before.
		changed := map[[2]uint8]bool{}
		for _, st := range c.Steps {
			var ev ccc.Event
			ccc.UnpackEvent(st.Words, &ev)
			at := [2]uint8{ev.Profile, ev.Addr}
			if ev.Kind == ccc.KindCfgWrite && ev.Addr < ccc.NumRegs && !changed[at] {
				changed[at] = true
				put(ccc.Event{Kind: ccc.KindCfgWrite, Profile: ev.Profile, Addr: ev.Addr,
					Data: ccc.RegInfo[ev.Addr].Reset}, casefile.Placed{})
			}
		}
	}
	first := ccc.KindOpen
	if c.Closed {
		first = ccc.KindClose
	}
	for _, id := range ids {
		put(ccc.Event{Kind: first, Ctx: uint16(id), Now: casefile.Epoch}, casefile.Placed{})
	}
	// The registers of a case come first in it and hold before its preload, so
	// that what a LOAD raises to MTU is raised to the case's MTU.
	steps := c.Steps
	for len(steps) > 0 && steps[0].Global && len(steps[0].Want) == 0 {
		out = append(out, casefile.Placed{Words: steps[0].Words, At: steps[0].At})
		steps = steps[1:]
	}
	if !c.Closed && !c.Bare {
		for i := range ccc.StateLen(slots) {
			a, slot := ccc.StateAt(i, slots)
			data := c.Load[a]
			if a == ccc.WordLastRcvd {
				data = c.Slots[slot]
			}
			for _, id := range ids {
				put(ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(id), Addr: uint8(a), PDC: uint8(slot), Data: data},
					casefile.Placed{})
			}
		}
	}
	for _, st := range steps {
		if st.Global {
			out = append(out, casefile.Placed{Words: st.Words, Want: st.Want, At: st.At})
			continue
		}
		for i, id := range ids {
			var ev ccc.Event
			ccc.UnpackEvent(st.Words, &ev)
			ev.Ctx = uint16(id)
			ev.Entropy ^= uint16(i * 0x1111)
			put(ev, casefile.Placed{Want: st.Want, At: st.At})
		}
	}
	for i := range ccc.StateLen(slots) {
		a, slot := ccc.StateAt(i, slots)
		var read []casefile.Want
		for _, w := range c.State {
			if w.Word == a && w.Slot == slot {
				w.Word = 0 // of the response's data
				read = append(read, w)
			}
		}
		for _, id := range ids {
			put(ccc.Event{Kind: ccc.KindRead, Ctx: uint16(id), Addr: uint8(a), PDC: uint8(slot)},
				casefile.Placed{Read: read})
		}
	}
	return out
}
