package format

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// tiny has one stream each way; wide has several, and fields beyond 64 bits.
const tiny = `block: tiny
title: t
streams:
  - {name: ev, dir: in, fields: [{name: kind, width: 2, enum: kind, open: true}, {name: a, width: 20}]}
  - {name: rsp, dir: out, fields: [{name: kind, width: 2, enum: kind, open: true}, {name: s, width: 9, signed: true}]}
enums:
  - {name: kind, width: 2, values: [{name: ADD, value: 0}, {name: SUB, value: 1}]}
`

const wide = `block: wide
title: w
params:
  - {name: Ports, default: 4, min: 1, max: 8}
streams:
  - {name: pkt, dir: in, fields: [{name: data, width: 512}, {name: keep, width: 64}, {name: last, width: 1}]}
  - {name: cfg, dir: in, fields: [{name: addr, width: 5}, {name: v, width: 70}]}
  - {name: cut, dir: out, fields: [{name: data, width: 512}, {name: last, width: 1}]}
  - {name: drop, dir: out, fields: [{name: why, width: 3}]}
`

// Records of a full frame of each.
var tinyFrame, wideFrame = frameRecords(1 + 1), frameRecords(13 + 10)

func header(t testing.TB, schema, per string) Header {
	b, err := event.Parse([]byte(schema))
	require.NoError(t, err)
	h := Header{Block: b.Name, Per: per, Pairing: PairOrder, SchemaHash: b.Hash(),
		Params: map[string]int{}, Source: "drawn",
		Seed: 7, Level: "smoke", Generator: "test 1", Args: []string{"vectors", "gen"}, Schema: schema}
	if len(b.Streams) == 2 {
		h.Pairing = PairAnswers
	}
	for _, p := range b.Params {
		h.Params[p.Name] = p.Default
	}
	return h
}

// drawn is what a test writes and wants back.
type drawn struct {
	in, out [][]uint64
	marks   map[int]Mark
}

// draw returns n records with meaning in every bit that may have one.
func draw(t testing.TB, schema, per string, n int) drawn {
	b, err := event.Parse([]byte(schema))
	require.NoError(t, err)
	s := newShape(b, per)
	r := rand.New(rand.NewPCG(uint64(n), 5))
	d := drawn{marks: map[int]Mark{}}
	a := make([]uint64, max(s.in, s.out))
	record := func(words int, ctl uint64, ports []event.Port) []uint64 {
		x := make([]uint64, words)
		for i := range x {
			x[i] = r.Uint64()
		}
		allow(a[:words], x[0], ctl, ports)
		for i := range x {
			x[i] &= a[i]
		}
		return x
	}
	for i := range n {
		if i == 0 || r.IntN(50) == 0 {
			d.marks[i] = Mark{fmt.Sprintf("drawn/%d", i), r.Uint64()}
		}
		d.in = append(d.in, record(s.in, s.inCtl, s.ins))
		d.out = append(d.out, record(s.out, s.outCtl, s.outs))
	}
	return d
}

func write(t testing.TB, h Header, d drawn) ([]byte, Totals) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, h)
	require.NoError(t, err)
	for i := range d.in {
		if m, ok := d.marks[i]; ok {
			w.Mark(m.Name, m.Seed)
		}
		require.NoError(t, w.Write(d.in[i], d.out[i]))
	}
	totals, err := w.Close()
	require.NoError(t, err)
	return buf.Bytes(), totals
}

// check reads a file and requires each record handed out to be the one written. It returns how many there
// were and the error that ended it, nil for a sound end.
func check(t testing.TB, data []byte, d drawn) (int, error) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return 0, err
	}
	n := 0
	for rec, err := range r.All() {
		if err != nil {
			return n, err
		}
		require.Less(t, n, len(d.in), "a record that was never written")
		require.EqualValues(t, n, rec.Number)
		require.Equal(t, d.in[n], rec.In)
		require.Equal(t, d.out[n], rec.Out)
		m, ok := d.marks[n]
		require.Equal(t, ok, rec.Mark != nil)
		if ok {
			require.Equal(t, m, *rec.Mark)
		}
		n++
	}
	return n, nil
}

// mend sets every checksum of a file right as far as its chunks can be followed, so that what lies behind
// the checksums is tested too.
func mend(b []byte) {
	if len(b) < prefixSize {
		return
	}
	le := binary.LittleEndian
	copy(b, magic[:])
	le.PutUint32(b[12:], checksum(b[:12]))
	at := prefixSize
	for at+chunkSize <= len(b) {
		c := b[at : at+chunkSize]
		n := int(le.Uint32(c[20:]))
		if n > len(b)-at-chunkSize {
			n = max(0, len(b)-at-chunkSize-tailSize)
		}
		le.PutUint32(c[20:], uint32(n))
		le.PutUint32(c[28:], checksum(b[at+chunkSize:at+chunkSize+n]))
		le.PutUint32(c[32:], checksum(c[:32]))
		at += chunkSize + n
		if len(b)-at == tailSize {
			le.PutUint32(b[at+16:], checksum(b[at:at+16]))
			copy(b[at+20:], endMark[:])
			return
		}
	}
}
