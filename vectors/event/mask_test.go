package event

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const maskSchema = `block: beats
title: beats with masks
params:
  - {name: Odd, default: 1, min: 1, max: 3}
streams:
  - {name: ev, dir: in, fields: [{name: x, width: 8}]}
  - {name: one, dir: out, fields: [{name: y, width: 8}]}
  - name: tx
    dir: out
    fields:
      - {name: data, width: 128, mask: keep}
      - {name: keep, width: 16}
      - {name: last, width: 1}
      - {name: delta, width: 12, signed: true, when: last && keep % 4 == Odd}
`

// A bit of keep stands for its part of the data, in every word, and a condition for the whole field. Nothing else is
// spared, and what is counted is what is spared.
func TestMasks(t *testing.T) {
	b, err := Parse([]byte(maskSchema))
	require.NoError(t, err)
	l := NewLayout(b)
	keep, last, data, delta := l.Out.Slot("tx", "keep"), l.Out.Slot("tx", "last"), l.Out.Slot("tx",
		"data"), l.Out.Slot("tx", "delta")
	for _, c := range []struct{ keep, last, odd, low, high, delta uint64 }{
		{0x0001, 1, 1, 0xff, 0, 0xfff},
		{0x0001, 0, 1, 0xff, 0, 0},
		{0x8102, 1, 1, 0xff00, 0xff000000000000ff, 0},
		{0x8102, 1, 2, 0xff00, 0xff000000000000ff, 0xfff},
		{0, 1, 1, 0, 0, 0},
		{0xffff, 1, 3, ^uint64(0), ^uint64(0), 0xfff},
	} {
		m, err := NewMasks(b, l, map[string]int{"Odd": int(c.odd)})
		require.NoError(t, err)
		want, mask := make([]uint64, l.Out.Words), l.Out.StreamMask("tx")
		keep.Set(want, c.keep)
		last.Set(want, c.last)
		m.Clear(1, want, mask)
		require.Equal(t, [4]uint64{c.low, c.high, c.delta, 0xffff}, [4]uint64{mask[data.Word], mask[data.Word+1],
			delta.Get(mask), keep.Get(mask)}, "%+v", c)
		require.EqualValues(t, 1, last.Get(mask))
		m.Count(1, l.Out.StreamMask("tx"), mask)
		hidden := uint64(128)
		for k := range 16 {
			hidden -= c.keep >> k & 1 * 8
		}
		require.Equal(t, []MaskCount{{"tx.data", hidden, 128}, {"tx.delta", 12 - 12*(c.delta&1), 12}}, m.Counts())
		counted := slices.Clone(m.Counts())
		skip := make([]uint64, l.Out.Words) // neither field is there
		require.Zero(t, m.Count(1, skip, skip), "its mask hides nothing of a field that is not compared")
		require.Equal(t, counted, m.Counts())
		one := l.Out.StreamMask("one")
		m.Clear(0, want, one)
		require.Equal(t, l.Out.StreamMask("one"), one, "no other stream is touched")
	}
	plain, err := Parse([]byte(strings.NewReplacer(", mask: keep", "", ", when: last && keep % 4 == Odd",
		"").Replace(maskSchema)))
	require.NoError(t, err)
	require.Equal(t, plain.Hash(), b.Hash(), "a mask is no part of the interface")
	none, err := NewMasks(plain, l, nil)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestMasksRefused(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"mask: keep", "mask: keeps", `line 11: field tx.data: key "mask": "keeps" is not another field of stream tx`},
		{"mask: keep", "mask: data", `is not another field`},
		{"mask: keep", "mask: delta", `the 12 bits of delta do not divide its 128 bits into equal parts`},
		{"{name: keep, width: 16", "{name: keep, width: 16, when: last",
			`keep has a mask itself; name a field that is always compared`},
		{"{name: x, width: 8", "{name: x, width: 8, when: x > 1", `only output fields are compared; leave it out`},
		{"last && keep % 4 == Odd", "last > 1",
			`line 14: field tx.delta: key "when": no response satisfies "last > 1", so the field would never be compared`},
		{"last && keep % 4 == Odd", "lost == 1", `"lost" is not a field of stream tx`},
		{"last && keep % 4 == Odd", "data == 1", `field data has 128 bits`},
		{"last && keep % 4 == Odd", "last ==", `an operand is missing`},
		{"last && keep % 4 == Odd", "delta", `delta has a mask itself`},
		{"{name: last, width: 1", "{name: last, width: 1, show: octal", `key "show": "octal" is not hex`},
	} {
		require.Equal(t, 1, strings.Count(maskSchema, c.old), c.old)
		_, err := Parse([]byte(strings.Replace(maskSchema, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want)
	}
}

// A field shown in hexadecimal has every digit of its width.
func TestShowHex(t *testing.T) {
	b := &Block{}
	require.Equal(t, "0x00f", b.Format(&Field{Width: 10, Show: ShowHex}, 15))
	require.Equal(t, "0xfff", b.Format(&Field{Width: 12, Signed: true, Show: ShowHex}, 0xfff))
	require.Equal(t, "-1", b.Format(&Field{Width: 12, Signed: true}, 0xfff))
}
