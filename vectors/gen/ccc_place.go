package gen

import "github.com/goldwire/goldwire/vectors/event/ccc"

// placeCCC lays a case out: side by side over several contexts, then once more over a single one, so that every rule is
// met with the pipeline full of neighbours and back to back in one context.
func placeCCC(c *dcase, params map[string]int) []placed {
	n := params["NumContexts"]
	k := min(copies, n)
	ids := make([]int, k)
	for i := range ids {
		ids[i] = i * (n - 1) / max(k-1, 1)
	}
	slots := params["NumPdcs"]
	return append(placeOver(c, ids, slots, false), placeOver(c, ids[k/2:k/2+1], slots, true)...)
}

// placeOver lays a case out over the contexts of the given numbers, which have so
// many slots; again says that it has been played before in the same episode.
func placeOver(c *dcase, ids []int, slots int, again bool) (out []placed) {
	put := func(ev ccc.Event, p placed) {
		p.words = make([]uint64, ccc.EventWords)
		ccc.PackEvent(&ev, p.words)
		out = append(out, p)
	}
	if again {
		// The registers that the case has changed before.
		changed := map[[2]uint8]bool{}
		for _, st := range c.steps {
			var ev ccc.Event
			ccc.UnpackEvent(st.words, &ev)
			at := [2]uint8{ev.Profile, ev.Addr}
			if ev.Kind == ccc.KindCfgWrite && ev.Addr < ccc.NumRegs && !changed[at] {
				changed[at] = true
				put(ccc.Event{Kind: ccc.KindCfgWrite, Profile: ev.Profile, Addr: ev.Addr, Data: ccc.RegInfo[ev.Addr].Reset}, placed{})
			}
		}
	}
	first := ccc.KindOpen
	if c.closed {
		first = ccc.KindClose
	}
	for _, id := range ids {
		put(ccc.Event{Kind: first, Ctx: uint16(id), Now: epoch}, placed{})
	}
	// The registers of a case come first in it and hold before its preload, so
	// that what a LOAD raises to MTU is raised to the case's MTU.
	steps := c.steps
	for len(steps) > 0 && steps[0].global && len(steps[0].want) == 0 {
		out = append(out, placed{words: steps[0].words, at: steps[0].at()})
		steps = steps[1:]
	}
	if !c.closed && !c.bare {
		for a, data := range c.load[:lastRcvd] {
			for _, id := range ids {
				put(ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(id), Addr: uint8(a), Data: data}, placed{})
			}
		}
		for slot, data := range c.slots[:slots] {
			for _, id := range ids {
				put(ccc.Event{Kind: ccc.KindLoad, Ctx: uint16(id), Addr: lastRcvd, PDC: uint8(slot), Data: data}, placed{})
			}
		}
	}
	for _, st := range steps {
		if st.global {
			out = append(out, placed{words: st.words, want: st.want, at: st.at()})
			continue
		}
		for i, id := range ids {
			var ev ccc.Event
			ccc.UnpackEvent(st.words, &ev)
			ev.Ctx = uint16(id)
			ev.Entropy ^= uint16(i * 0x1111)
			put(ev, placed{want: st.want, at: st.at()})
		}
	}
	for i := range lastRcvd + slots {
		a, slot := min(i, lastRcvd), max(i-lastRcvd, 0)
		var read []dwant
		for _, w := range c.state {
			if w.word == a && w.slot == slot {
				w.word = 0 // of the response's data
				read = append(read, w)
			}
		}
		for _, id := range ids {
			put(ccc.Event{Kind: ccc.KindRead, Ctx: uint16(id), Addr: uint8(a), PDC: uint8(slot)}, placed{read: read})
		}
	}
	return out
}
