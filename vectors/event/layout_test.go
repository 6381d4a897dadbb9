package event_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors/event"
)

func block(in, out []event.Field) *event.Block {
	return &event.Block{Name: "b", Title: "t", Streams: []event.Stream{
		{Name: "ev", Dir: event.In, Fields: in}, {Name: "rsp", Dir: event.Out, Fields: out},
	}}
}

func TestLayoutPlaces(t *testing.T) {
	l := event.NewLayout(block(
		[]event.Field{{Name: "a", Width: 60}, {Name: "b", Width: 1}, {Name: "c", Width: 1}, {Name: "w", Width: 65},
			{Name: "d", Width: 64}, {Name: "e", Width: 2}},
		[]event.Field{{Name: "x", Width: 62}, {Name: "y", Width: 64}},
	))
	place := func(r *event.Record, stream, field string) [2]int {
		s := r.Slot(stream, field)
		require.NotNil(t, s, field)
		return [2]int{s.Word, s.Bit}
	}
	require.Equal(t, []event.Control{{Name: "rst_n", Bit: 0}, {Name: "ev_valid", Bit: 1},
		{Name: "rsp_ready", Bit: 2}}, l.In.Controls)
	require.Equal(t, []event.Control{{Name: "ev_ready", Bit: 0}, {Name: "rsp_valid", Bit: 1}}, l.Out.Controls)
	require.Equal(t, [2]int{0, 3}, place(&l.In, "ev", "a"), "the first field follows the control bits")
	require.Equal(t, [2]int{0, 63}, place(&l.In, "ev", "b"), "the last bit of a word is used")
	require.Equal(t, [2]int{1, 0}, place(&l.In, "ev", "c"))
	require.Equal(t, [2]int{2, 0}, place(&l.In, "ev", "w"), "a wide field starts at a word boundary")
	require.Equal(t, [2]int{4, 0}, place(&l.In, "ev", "d"), "and takes whole words")
	require.Equal(t, [2]int{5, 0}, place(&l.In, "ev", "e"))
	require.Equal(t, 6, l.In.Words)
	require.Equal(t, [2]int{0, 2}, place(&l.Out, "rsp", "x"))
	require.Equal(t, [2]int{1, 0}, place(&l.Out, "rsp", "y"))
	require.Equal(t, 2, l.Out.Words)
	require.Nil(t, l.In.Slot("ev", "nothing"))
	require.Zero(t, l.In.Control("nothing"))
	require.Equal(t, []uint64{^uint64(3), ^uint64(0)}, l.Out.StreamMask("rsp"))
	require.Equal(t, []uint64{^uint64(7), 1, ^uint64(0), 1, ^uint64(0), 3}, l.In.StreamMask("ev"))
}

func TestEqualLooksAtValidStreamsOnly(t *testing.T) {
	b := block([]event.Field{{Name: "a", Width: 1}}, []event.Field{{Name: "x", Width: 8}})
	b.Streams = append(b.Streams, event.Stream{Name: "aux", Dir: event.Out, Fields: []event.Field{{Name: "y", Width: 70}}})
	l := event.NewLayout(b)
	rsp, aux := l.Out.Control("rsp_valid"), l.Out.Control("aux_valid")
	want, got := make([]uint64, l.Out.Words), make([]uint64, l.Out.Words)
	l.Out.Slot("rsp", "x").Set(got, 5)
	got[2] = 1 // bit 64 of aux.y
	require.True(t, l.Equal(want, got), "no stream is valid")
	want[0] |= rsp
	require.False(t, l.Equal(want, got), "valid differs")
	got[0] |= rsp
	require.False(t, l.Equal(want, got), "x differs")
	l.Out.Slot("rsp", "x").Set(want, 5)
	require.True(t, l.Equal(want, got), "aux is not valid")
	want[0], got[0] = want[0]|aux, got[0]|aux
	require.False(t, l.Equal(want, got), "the high word of aux.y differs")
	want[2] = 1
	require.True(t, l.Equal(want, got))
}

// Whatever the widths: no two fields share a bit, none straddles, all follow the control bits, what is
// set is read back, and what is set elsewhere does not disturb it.
func TestLayoutProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		widths := rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 64), rapid.IntRange(1, 200)), 1, 40).Draw(t, "widths")
		var fields []event.Field
		for i, w := range widths {
			fields = append(fields, event.Field{Name: "f" + string(rune('a'+i%26)) + string(rune('a'+i/26)), Width: w})
		}
		b := block(fields, []event.Field{{Name: "x", Width: 1}})
		if err := b.Validate(); err != nil {
			t.Fatalf("valid block refused: %v", err)
		}
		l := event.NewLayout(b)
		used := make([]uint64, l.In.Words)
		used[0] = l.In.ControlMask()
		for _, s := range l.In.Slots {
			for i := range s.Field.Width {
				pos := s.Bit + i
				w, bit := s.Word+pos/64, uint64(1)<<(pos%64)
				if used[w]&bit != 0 {
					t.Fatalf("%s shares bit %d of word %d", s.Field.Name, pos%64, w)
				}
				if s.Field.Width <= 64 && pos > 63 {
					t.Fatalf("%s straddles a word boundary", s.Field.Name)
				}
				used[w] |= bit
			}
		}
		rec := make([]uint64, l.In.Words)
		vals := make([]uint64, len(l.In.Slots))
		for i := range l.In.Slots {
			vals[i] = rapid.Uint64().Draw(t, "value")
			l.In.Slots[i].Set(rec, vals[i])
		}
		for i := range l.In.Slots {
			s := &l.In.Slots[i]
			if got, want := s.Get(rec), vals[i]&(^uint64(0)>>(64-min(64, s.Field.Width))); got != want {
				t.Fatalf("%s: set %x, got %x", s.Field.Name, want, got)
			}
		}
		if rec[0]&l.In.ControlMask() != 0 {
			t.Fatal("a field wrote control bits")
		}
	})
}
