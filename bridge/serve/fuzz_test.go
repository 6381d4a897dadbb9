package serve

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

// tape is a connection on which everything has been said already.
type tape struct {
	net.Conn
	in  io.Reader
	out bytes.Buffer
}

func (c *tape) Read(b []byte) (int, error)     { return c.in.Read(b) }
func (c *tape) Write(b []byte) (int, error)    { return c.out.Write(b) }
func (*tape) SetDeadline(time.Time) error      { return nil }
func (*tape) SetReadDeadline(time.Time) error  { return nil }
func (*tape) SetWriteDeadline(time.Time) error { return nil }
func (*tape) Close() error                     { return nil }

// mended makes sequence numbers, lengths within reason and sums of every frame in data right, so that what the
// frames say is looked at.
func mended(data []byte) []byte {
	data = slices.Clone(data)
	le := binary.LittleEndian
	table := crc32.MakeTable(crc32.Castagnoli)
	seq := uint32(0)
	for b := data; len(b) >= wire.HeaderSize; seq++ {
		body := len(b) - wire.HeaderSize
		ctrl := min(int(le.Uint16(b[12:])), body)
		bulk := min(int(le.Uint16(b[16:]))&^7, (body-ctrl)&^7)
		le.PutUint32(b, wire.Magic)
		le.PutUint16(b[4:], wire.Version)
		b[7] = 0
		le.PutUint32(b[8:], seq)
		le.PutUint32(b[12:], uint32(ctrl))
		le.PutUint32(b[16:], uint32(bulk))
		le.PutUint32(b[20:], 0)
		le.PutUint32(b[24:], crc32.Checksum(b[32:32+ctrl+bulk], table))
		le.PutUint32(b[28:], crc32.Checksum(b[:28], table))
		b = b[32+ctrl+bulk:]
	}
	return data
}

// conversation returns what a client sends.
func conversation(t testing.TB, say func(w *wire.Writer)) []byte {
	t.Helper()
	s, err := New(tinySpec())
	require.NoError(t, err)
	var b bytes.Buffer
	w := wire.NewWriter(&b)
	h := s.Hello()
	require.NoError(t, w.Write(wire.TypeHello, &h))
	say(w)
	return b.Bytes()
}

// FuzzConversation lets a server read arbitrary frames: it must not panic, every frame it sends must be sound,
// the first its hello, and it ends without an error or with one of the protocol's.
func FuzzConversation(f *testing.F) {
	in, want := traffic(1, 40)
	f.Add(conversation(f, func(w *wire.Writer) {
		_ = w.Write(wire.TypeConfigure, &wire.Configure{Seed: 1, Reset: 2})
		_ = w.Write(wire.TypeBatch, &wire.Batch{Cycles: 40}, in, want)
		_ = w.Write(wire.TypeFinish, nil)
		_ = w.Write(wire.TypeStep, &wire.Step{Cycles: 1, Until: adder.OutRspValid, Max: 9}, in[:3])
		_ = w.Write(wire.TypeAsk, &wire.Ask{Events: 1}, record(adder.Event{A: 1}))
		_ = w.Write(wire.TypeDescribe, nil)
		_ = w.Write(wire.TypeTrace, &wire.Trace{File: "x"})
		_ = w.Write(wire.TypeBye, nil)
	}), false)
	f.Add(conversation(f, func(w *wire.Writer) { _ = w.Write(wire.TypeStep, &wire.Step{Cycles: 1}, in[:3]) }), true)
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = mended(data)
		}
		s, err := New(tinySpec())
		require.NoError(t, err)
		c := &tape{in: bytes.NewReader(data)}
		err = newConn(s, c).serve()
		var e *wire.Error
		require.True(t, err == nil || errors.As(err, &e), "%v", err)
		require.NotErrorIs(t, err, wire.ErrModel)
		r := wire.NewReader(&c.out, wire.DefaultLimits())
		fr, err := r.Next()
		require.NoError(t, err)
		require.Equal(t, wire.TypeHello, fr.Type)
		for err == nil {
			_, err = r.Next()
		}
		require.Equal(t, io.EOF, err)
	})
}
