package guide

import (
	"slices"

	"github.com/goldwire/goldwire/cosim/engine/play"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/corpus"
	"github.com/goldwire/goldwire/vectors/stim/schema"
)

// mutator makes a case from others: it cuts out a window, joins lists, repeats events, and changes fields and ports.
type mutator struct {
	r     stim.Rand
	legal *schema.Legal
	lanes [][]*event.Slot // by lane: the fields that may change
	ends  []*event.Slot   // by lane: the field last, nil without it
}

func newMutator(b *event.Block, lay *event.Layout, params map[string]int, seed uint64) (*mutator, error) {
	m := &mutator{r: stim.Seeded(seed, b.Name, corpus.SourceName, 0)}
	var err error
	if m.legal, err = schema.NewLegal(b, params); err != nil {
		return nil, err
	}
	for _, p := range lay.Inputs() {
		var slots []*event.Slot
		for _, s := range p.Slots {
			// The fields that frame a packet stay as they are: half a packet is not an event.
			if p.Last == nil || s.Field.Name != p.Last.Field.Name && s.Field.Name != "keep" {
				slots = append(slots, s)
			}
		}
		m.lanes, m.ends = append(m.lanes, slots), append(m.ends, p.Last)
	}
	return m, nil
}

// packets returns the items, those of a packet together.
func (m *mutator) packets(items []stim.Item) [][]stim.Item {
	return play.Groups(items, func(it *stim.Item) bool {
		last := m.ends[it.Lane]
		return !it.More && (last == nil || last.Get(it.Words) != 0)
	})
}

// window returns a case made of the first items of a parent, a run of later ones, and its last: the configuration, the
// events of interest, and the reads at the end.
func (m *mutator) window(of *corpus.Case) corpus.Case {
	r := &m.r
	all := m.packets(of.Items)
	n := len(all)
	head := min(stim.Pick(r, 0, 1, 4, 10, 30, r.N(n+1)), n)
	size := min(stim.Pick(r, 10, 20, 40, 80, 160, 400), n)
	from := r.N(n - size + 1)
	tail := min(stim.Pick(r, 0, 0, 4, 16, 64), n)
	var keep [][]stim.Item
	for i, g := range all {
		if i < head || i >= from && i < from+size || i >= n-tail {
			keep = append(keep, g)
		}
	}
	return m.made(of, keep)
}

// made returns a case of these packets, driven like the parent.
func (m *mutator) made(of *corpus.Case, packets [][]stim.Item) corpus.Case {
	c := corpus.Case{Seed: of.Seed, Drive: of.Drive, Items: slices.Concat(packets...)}
	m.fit(&c)
	return c
}

// fit makes a list of items sound: an item is paired only with one of another stream before it, and resets fall
// inside the list, a little later each.
func (m *mutator) fit(c *corpus.Case) {
	for i := range c.Items {
		it := &c.Items[i]
		if it.Pair && (i == 0 || c.Items[i-1].Lane == it.Lane || c.Items[i-1].Wait != it.Wait) {
			it.Pair = false
		}
	}
	n := len(c.Items)
	resets := slices.Clone(c.Drive.Resets)
	for i := range resets {
		if resets[i].After > n && n > 0 {
			resets[i].After = 1 + resets[i].After%n
		}
		if i > 0 {
			resets[i].After = max(resets[i].After, resets[i-1].After)
		}
	}
	c.Drive.Resets = resets
}

// mutate returns a changed copy of a case; other is a second parent.
func (m *mutator) mutate(of, other *corpus.Case) corpus.Case {
	r := &m.r
	c := m.made(of, m.packets(of.Items))
	for range 1 + r.N(4) {
		switch r.N(10) {
		case 0:
			c = m.window(&c)
		case 1:
			c = m.join(&c, other)
		case 2:
			c = m.repeat(&c)
		case 3:
			m.ports(&c, other)
		case 4:
			c.Seed = r.U64()
		default:
			for range 1 + r.N(6) {
				m.field(&c)
			}
		}
		if len(c.Items) == 0 {
			c = m.made(of, m.packets(of.Items))
		}
	}
	if all := m.packets(c.Items); len(all) > longest {
		c = m.made(&c, all[:longest])
	}
	return c
}

// longest is the greatest number of packets or events in a case made from others.
const longest = 600

// join inserts a run of packets of another parent into a case.
func (m *mutator) join(c, other *corpus.Case) corpus.Case {
	a, b := m.packets(c.Items), m.packets(other.Items)
	from := m.r.N(len(b))
	to := min(from+1+m.r.N(60), len(b))
	return m.made(c, slices.Insert(a, m.r.N(len(a)+1), b[from:to]...))
}

// repeat plays a run of packets again, at once or later.
func (m *mutator) repeat(c *corpus.Case) corpus.Case {
	a := m.packets(c.Items)
	from := m.r.N(len(a))
	to := min(from+1+m.r.N(8), len(a))
	at := stim.Pick(&m.r, to, m.r.N(len(a)+1))
	return m.made(c, slices.Insert(slices.Clone(a), at, a[from:to]...))
}

// ports changes how the ports are driven.
func (m *mutator) ports(c, other *corpus.Case) {
	r := &m.r
	switch r.N(5) {
	case 0:
		c.Drive.Idle, c.Drive.IdleMore = other.Drive.Idle, other.Drive.IdleMore
	case 1:
		c.Drive.Stall, c.Drive.StallMore = other.Drive.Stall, other.Drive.StallMore
	case 2:
		c.Drive = c.Drive.Calm()
	case 3:
		c.Drive.Resets = append(slices.Clone(c.Drive.Resets[:1]),
			stim.Reset{After: 1 + r.N(len(c.Items)), Delay: r.N(12), Low: 1 + r.N(3)})
	default:
		it := &c.Items[r.N(len(c.Items))]
		it.Gap = uint16(r.N(40))
	}
}

// field changes a field of one item, as far as the schema allows it.
func (m *mutator) field(c *corpus.Case) {
	r := &m.r
	i := r.N(len(c.Items))
	was := &c.Items[i]
	slots := m.lanes[was.Lane]
	if len(slots) == 0 {
		return
	}
	it := was.Clone()
	s := slots[r.N(len(slots))]
	w := s.Field.Width
	if w > 64 {
		word := s.Word + r.N(w/64)
		it.Words[word] ^= 1 << r.N(64)
	} else {
		v := s.Get(it.Words)
		switch r.N(8) {
		case 0, 1:
			v ^= 1 << r.N(w)
		case 2:
			v = r.Near(v, w)
		case 3:
			v = r.Corner(w)
		case 4, 5, 6: // the value from another event of the stream
			if o := &c.Items[r.N(len(c.Items))]; o.Lane == it.Lane {
				v = s.Get(o.Words)
				if r.One(4) {
					v = r.Near(v, w)
				}
			}
		default:
			v = r.Bits(w)
		}
		s.Set(it.Words, v)
	}
	if m.legal.Item(&it) || !m.legal.Item(was) {
		c.Items[i] = it
	}
}
