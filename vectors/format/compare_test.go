package format

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
)

// masked is tiny with a field that is not always compared.
var masked = strings.Replace(tiny, "{name: s, width: 9, signed: true}", "{name: s, width: 9, signed: true, when: "+
	"kind == SUB}", 1)

// A file keeps what limits its comparison, and an older goldwire refuses such a file by its version. A file without
// any such limit stays one of version 1.
func TestCompareHashIsKept(t *testing.T) {
	d := draw(t, tiny, PerTransaction, 5)
	version := func(data []byte) byte { return data[8] }
	plain, _ := write(t, header(t, tiny, PerTransaction), d)
	require.EqualValues(t, 1, version(plain))
	require.NotContains(t, string(plain), "compare_hash")
	b, err := event.Parse([]byte(masked))
	require.NoError(t, err)
	read := func(data []byte) *Header {
		r, err := NewReader(bytes.NewReader(data))
		require.NoError(t, err)
		return r.Header()
	}
	h := header(t, masked, PerTransaction)
	require.Empty(t, h.CompareHash, "no writer can forget it")
	data, _ := write(t, h, d)
	require.EqualValues(t, 2, version(data))
	require.Contains(t, string(data), `"compare_hash":"`+b.CompareHash()+`"`)
	require.Equal(t, b.CompareHash(), read(data).CompareHash)
	for _, edit := range []func(*Header){
		func(h *Header) { h.Relaxed = []string{"rsp.data_changes"} },
		func(h *Header) { h.Constants = []string{"rsp.s"} },
	} {
		h := header(t, tiny, PerTransaction)
		edit(&h)
		data, _ := write(t, h, d)
		require.EqualValues(t, 2, version(data))
		require.Equal(t, h, *read(data))
	}

	// A file that was made before the hash was stored has that of its schema.
	old := takeApart(t, data)
	old.head = bytes.Replace(old.head, []byte(`"compare_hash":"`+b.CompareHash()+`",`), nil, 1)
	old.data.records = 5
	require.Equal(t, b.CompareHash(), read(old.bytes()).CompareHash)

	// A hash that its schema does not have, and a constant that is no output field, are damage.
	bad := takeApart(t, data)
	bad.head = bytes.Replace(bad.head, []byte(b.CompareHash()), []byte("0123456789abcdef"), 1)
	_, err = NewReader(bytes.NewReader(bad.bytes()))
	require.ErrorIs(t, err, ErrDamaged)
	require.ErrorContains(t, err, "header: compare hash 0123456789abcdef, but its schema has "+b.CompareHash())
	for _, name := range []string{"ev.a", "rsp.t", "rsp"} {
		h := header(t, tiny, PerTransaction)
		h.Constants = []string{name}
		_, err := NewWriter(new(bytes.Buffer), h)
		require.ErrorContains(t, err, `constant "`+name+`": block tiny has no such output field`)
	}
}

// Two files compare the same only when masks, relaxed rules and constants are the same; else both values are named.
func TestSameComparison(t *testing.T) {
	parse := func(text string) *event.Block {
		b, err := event.Parse([]byte(text))
		require.NoError(t, err)
		return b
	}
	a, b := parse(tiny), parse(masked)
	none := &Header{}
	require.NoError(t, none.SameComparison("a.gwv", a, none, "b.gwv", a))
	require.NoError(t, none.SameComparison("a.gwv", b, none, "b.gwv", b))
	require.ErrorContains(t, none.SameComparison("a.gwv", a, none, "b.gwv", b),
		"a.gwv has the compare hash none (every bit), and b.gwv "+b.CompareHash())
	relaxed, constant := &Header{Relaxed: []string{"rsp.data_changes"}}, &Header{Constants: []string{"rsp.s"}}
	require.NoError(t, relaxed.SameComparison("a.gwv", a, relaxed, "b.gwv", a))
	require.ErrorContains(t, relaxed.SameComparison("a.gwv", a, none, "b.gwv", a),
		"a.gwv was answered by a design with relaxed handshake rules: rsp.data_changes, and b.gwv: none")
	require.ErrorContains(t, none.SameComparison("a.gwv", a, constant, "b.gwv", a),
		"a.gwv was answered with constants of the dut.yaml in fields: none, and b.gwv: rsp.s")
}
