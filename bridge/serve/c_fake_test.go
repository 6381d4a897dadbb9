package serve

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"net"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/wire"
)

// The layout of the fake server's block: two output streams, a signed field, fields wider than a word.
const (
	fakeIn = "control rst_n 0\ncontrol ev_valid 1\ncontrol rsp_ready 2\ncontrol log_ready 3\n" +
		"field ev a 32 0 4 0\nfield ev wide 100 1 0 0\n"
	fakeOut = "control ev_ready 0\ncontrol rsp_valid 1\ncontrol log_valid 2\n" +
		"field rsp s 12 0 3 1\nfield rsp wide 100 1 0 0\nfield log text 64 3 0 0\n"
	fakeLo, fakeHi = 0x0123456789abcdef, 0xf00000001
	fakeRsp        = "ffb" + "f00000001" + "0123456789abcdef" // -5 and the wide field, as a packed struct
)

// fake is a server that answers as the protocol asks, but for what the fields say.
type fake struct {
	hello    wire.Hello
	in, out  string
	answer   func(n int, events []uint64) (ctrl any, words []uint64) // to ask n
	at       wire.Type                                               // the first frame of this type is changed
	edit     func(frame []byte) []byte                               // its bytes
	then     string                                                  // after it: "" goes on, "close", "silent"
	unread   bool                                                    // reads nothing after configure
	resets   int
	received [][]uint64
}

func newFake() *fake {
	return &fake{hello: wire.Hello{Version: wire.Version, Block: "wide", SchemaHash: "0123456789abcdef",
		InWords: 3, OutWords: 4,
		Simulator: "fake", Requests: "configure,ask,describe"}, in: fakeIn, out: fakeOut,
		answer: func(_ int, events []uint64) (any, []uint64) { return fakeAnswer(len(events) / 3) }}
}

// fakeAnswer is one response to each of n events.
func fakeAnswer(n int) (any, []uint64) {
	var words []uint64
	for range n {
		words = append(words, 1<<1|0xffb<<3, fakeLo, fakeHi, 0)
	}
	return wire.Answer{Responses: n, Cycles: 1}, words
}

// converse serves one connection; stop ends a silence.
func (f *fake) converse(c net.Conn, stop <-chan struct{}) {
	defer c.Close()
	var buf bytes.Buffer
	w, r := wire.NewWriter(&buf), wire.NewReader(c, wire.DefaultLimits())
	asks := 0
	say := func(t wire.Type, ctrl any, bulk ...[]uint64) bool {
		buf.Reset()
		if w.Write(t, ctrl, bulk...) != nil {
			return false
		}
		b := bytes.Clone(buf.Bytes())
		mine := t == f.at
		if mine {
			f.at = 0
			if f.edit != nil {
				b = f.edit(b)
			}
		}
		if _, err := c.Write(b); err != nil {
			return false
		}
		if mine && f.then == "silent" {
			<-stop
		}
		return !mine || f.then == ""
	}
	for more := say(wire.TypeHello, f.hello); more; {
		q, err := r.Next()
		if err != nil {
			return
		}
		switch q.Type {
		case wire.TypeDescribe:
			more = say(wire.TypeDescribed, wire.Described{In: f.in, Out: f.out})
		case wire.TypeConfigure:
			f.resets++
			if more = say(wire.TypeConfigured, nil); f.unread {
				<-stop
				return
			}
		case wire.TypeAsk:
			f.received = append(f.received, slices.Clone(q.Bulk))
			ctrl, words := f.answer(asks, q.Bulk)
			asks++
			more = say(wire.TypeAnswer, ctrl, words)
		case wire.TypeBye:
			say(wire.TypeBye, nil)
			return
		}
	}
}

// play runs the program against the fake and returns what it prints.
func (f *fake) play(t *testing.T, exe string, script ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	defer l.Close()
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		if c, err := l.Accept(); err == nil {
			f.converse(c, stop)
		}
	}()
	cmd := exec.Command(exe, append([]string{"unix:" + path}, script...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	require.NoError(t, cmd.Start())
	timer := time.AfterFunc(2*time.Minute, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	require.True(t, timer.Stop(), "the program hangs: %s", out.String())
	close(stop)
	l.Close()
	<-done
	require.NoError(t, err, out.String())
	return out.String()
}

// header changes a header and makes its sum right.
func header(edit func(b []byte)) func([]byte) []byte {
	return func(b []byte) []byte {
		edit(b)
		binary.LittleEndian.PutUint32(b[28:], crc32.Checksum(b[:28], crc32.MakeTable(crc32.Castagnoli)))
		return b
	}
}

// control puts bytes in the place of the control message and makes lengths and sums right.
func control(edit func(ctrl []byte) []byte) func([]byte) []byte {
	le := binary.LittleEndian
	return func(b []byte) []byte {
		n := 32 + le.Uint32(b[12:])
		ctrl := edit(bytes.Clone(b[32:n]))
		b = append(append(bytes.Clone(b[:32]), ctrl...), b[n:]...)
		le.PutUint32(b[12:], uint32(len(ctrl)))
		return header(func(b []byte) { le.PutUint32(b[24:], crc32.Checksum(b[32:], crc32.MakeTable(crc32.Castagnoli))) })(b)
	}
}

func put32(at int, v uint32) func([]byte) []byte {
	return header(func(b []byte) { binary.LittleEndian.PutUint32(b[at:], v) })
}

// instead is a frame of error in the place of another.
func instead(kind, text string) func([]byte) []byte {
	return func(b []byte) []byte {
		var out bytes.Buffer
		_ = wire.NewWriter(&out).Write(wire.TypeError, &wire.Failure{Kind: kind, Text: text})
		copy(out.Bytes()[8:12], b[8:12])
		return header(func([]byte) {})(out.Bytes())
	}
}
