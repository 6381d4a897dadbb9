package wire

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/egress"
)

// The digest covers every compared bit and nothing else.
func TestDigestCoversWhatIsCompared(t *testing.T) {
	for _, b := range []*event.Block{ccc.Schema(), egress.Schema()} {
		l := event.NewLayout(b)
		rule := NewRule(b, l)
		for i := range l.Out.Slots {
			s := &l.Out.Slots[i]
			base, rec := make([]uint64, l.Out.Words), make([]uint64, l.Out.Words)
			s.Set(rec, 1)
			require.Equal(t, rule.Digest(0, base), rule.Digest(0, rec), "%s_%s without valid", s.Stream, s.Field.Name)
			require.True(t, rule.Equal(base, rec))
			valid := l.Out.Control(s.Stream + "_valid")
			base[0] |= valid
			rec[0] |= valid
			require.NotEqual(t, rule.Digest(0, base), rule.Digest(0, rec), "%s_%s", s.Stream, s.Field.Name)
			require.False(t, rule.Equal(base, rec))
		}
	}
}

// Taken in parts, by stream, it is that of the masked words.
func TestDigestIsThatOfTheMaskedWords(t *testing.T) {
	b := egress.Schema()
	l := event.NewLayout(b)
	rule := NewRule(b, l)
	rapid.Check(t, func(t *rapid.T) {
		rec := rapid.SliceOfN(rapid.Uint64(), l.Out.Words, l.Out.Words).Draw(t, "record")
		d := Digest(rapid.Uint64().Draw(t, "before"))
		mask := make([]uint64, len(rec)) // of the bits that count
		mask[0] = rule.control
		for _, s := range l.Outputs() {
			for w, m := range s.Mask {
				if rec[0]&s.Valid != 0 {
					mask[w] |= m
				}
			}
		}
		masked := make([]uint64, len(rec))
		for i, m := range mask {
			masked[i] = rec[i] & m
		}
		require.Equal(t, d.Add(masked), rule.Digest(d, rec))
	})
}
