package elastic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event/trimmer"
)

// listed is an Expect that gives beats as they are, and keeps those that it gets.
type listed struct {
	give [][]uint64
	got  [][]uint64
}

func (b *listed) Reset() error { return nil }

func (b *listed) Accept(_ int, _ bool, words []uint64) error {
	b.got = append(b.got, words)
	return nil
}

func (b *listed) Next(int) ([]uint64, bool, error) {
	if len(b.give) == 0 {
		return nil, false, nil
	}
	w := b.give[0]
	b.give = b.give[1:]
	return w, true, nil
}

// What counts of a packet is its bytes: keep of a beat that is not the last, bits of keep above a zero, bytes without
// keep, and where the end of a packet shows have no meaning. A beat whose place in the packet is not known yet is owed
// when the next shows it.
func TestPackets(t *testing.T) {
	tx := func(keep, last, tag uint64, first uint64) []uint64 {
		x := trimmer.Tx{Keep: keep, Last: last != 0, Tag: uint32(tag)}
		for i := range x.Data {
			x.Data[i] = first * 0x0101010101010101
		}
		w := make([]uint64, trimmer.OutWords)
		trimmer.PackTx(&x, w)
		return w
	}
	const all = 1<<64 - 1
	source := &listed{give: [][]uint64{tx(0x5, 0, 1, 7), tx(0xf0f, 1, 1, 8), // 68 bytes
		tx(all, 0, 2, 9), tx(2, 1, 3, 1), // 64 bytes, whose end comes by itself
		tx(0, 1, 4, 5),   // none
		tx(all, 0, 5, 6), // it goes on
	}}
	x := newPacketed(trimmer.Schema(), source)
	next := func() (out trimmer.Tx) {
		w, ok, err := x.Next(0)
		require.NoError(t, err)
		require.True(t, ok)
		trimmer.UnpackTx(w, &out)
		return out
	}
	a := next()
	require.Equal(t, uint64(all), a.Keep)
	require.False(t, a.Last)
	require.Equal(t, uint64(7), a.Data[7]>>56)
	a = next()
	require.Equal(t, uint64(0xf), a.Keep)
	require.Equal(t, uint64(8<<24|8<<16|8<<8|8), a.Data[0], "bytes that count")
	a = next()
	require.True(t, a.Last)
	require.Equal(t, uint64(all), a.Keep)
	require.Equal(t, uint64(9), a.Data[7]>>56)
	require.Equal(t, uint32(3), a.Tag, "that of the end")
	require.True(t, next().Last)
	_, ok, err := x.Next(0)
	require.NoError(t, err)
	require.False(t, ok, "the end may be part of the beat")
	source.give = append(source.give, tx(1, 1, 5, 2))
	require.False(t, next().Last)
	require.True(t, next().Last)

	words := make([]uint64, trimmer.InWords)
	trimmer.PackRx(&trimmer.Rx{Keep: 0xb}, words)
	require.NoError(t, x.Accept(0, false, words))
	var rx trimmer.Rx
	trimmer.UnpackRx(source.got[0], &rx)
	require.Equal(t, uint64(all), rx.Keep)
	trimmer.UnpackRx(words, &rx)
	require.Equal(t, uint64(0xb), rx.Keep, "the words are the caller's")
}
