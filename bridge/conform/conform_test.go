package conform

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/twin"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/serve"
	"github.com/goldwire/goldwire/bridge/wire"
)

// served starts a server of the tiny block and returns how to reach it.
func served(t *testing.T, edit func(*serve.Spec)) func(context.Context) (net.Conn, string, error) {
	spec := serve.Spec{Block: adder.Schema(), Token: "secret", New: func() (serve.Model,
		error) {
		return &twin.Model{}, nil
	}}
	if edit != nil {
		edit(&spec)
	}
	s, err := serve.New(spec)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s")
	l, _, err := launch.Listen("unix:" + path)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
	return func(context.Context) (net.Conn, string, error) {
		c, err := net.Dial("unix", path)
		return c, spec.Token, err
	}
}

func verdicts(t *testing.T, open func(context.Context) (net.Conn, string, error), wait time.Duration) (passed, failed,
	skipped []string, text string) {
	results, err := Run(t.Context(), Target{Open: open, Block: adder.Schema(), Timeout: wait})
	require.NoError(t, err)
	var b strings.Builder
	for _, r := range results {
		require.NotEmpty(t, r.Expect)
		switch r.Verdict {
		case Pass:
			passed = append(passed, r.Name)
		case Fail:
			failed = append(failed, r.Name)
			b.WriteString(r.Name + ": " + r.Got + "\n")
			require.NotEmpty(t, r.Got)
		case Skip:
			skipped = append(skipped, r.Name)
		}
	}
	return passed, failed, skipped, b.String()
}

func TestServerConforms(t *testing.T) {
	passed, failed, skipped, text := verdicts(t, served(t, nil), 20*time.Second)
	require.Empty(t, failed, text)
	require.Equal(t, []string{"unserved/step", "unserved/batch", "unserved/ask", "unserved/describe",
		"step/repeat"}, skipped)
	require.Len(t, passed, len(Checks())-5)
	names := Checks()
	slices.Sort(names)
	require.Len(t, slices.Compact(names), len(Checks()), "names are unique")
}

// A server of events alone, such as a model in another language, is checked for what it announces.
func TestEventServerConforms(t *testing.T) {
	open := through(served(t, nil), func() faulty {
		return faulty{down: message(wire.TypeHello, func(m map[string]any) { m["requests"] = "configure,ask,describe" })}
	})
	passed, failed, skipped, text := verdicts(t, open, 20*time.Second)
	// The server behind it serves more than it says, which is all that is wrong with it.
	require.Equal(t, []string{"unserved/step", "unserved/batch"}, failed, text)
	require.Contains(t, passed, "frame/bulk-checksum")
	require.Contains(t, skipped, "batch/equal")
	require.Contains(t, passed, "ask/repeated")
}

// faulty is a server behind something that changes what passes: whole frames, by direction.
type faulty struct {
	up, down func(frame []byte) []byte // to the server, to the client; nil leaves them
	mend     bool                      // the one header with a wrong checksum
}

// through puts f between.
func through(open func(context.Context) (net.Conn, string, error),
	f func() faulty) func(context.Context) (net.Conn, string, error) {
	return func(ctx context.Context) (net.Conn, string, error) {
		server, token, err := open(ctx)
		if err != nil {
			return nil, "", err
		}
		fds, err := socketpair()
		if err != nil {
			return nil, "", err
		}
		x := f()
		var wg sync.WaitGroup
		wg.Go(func() { pump(fds[0], server, x.up, x.mend) })
		wg.Go(func() { pump(server, fds[0], x.down, false) })
		go func() { wg.Wait(); fds[0].Close(); server.Close() }()
		return fds[1], token, nil
	}
}

func socketpair() (c [2]net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return c, err
	}
	defer l.Close()
	if c[1], err = net.Dial("tcp", l.Addr().String()); err != nil {
		return c, err
	}
	c[0], err = l.Accept()
	return c, err
}

// pump carries frames over until either side ends. What is no frame passes as it is, and all after it.
func pump(from, to net.Conn, edit func([]byte) []byte, mend bool) {
	defer to.(interface{ CloseWrite() error }).CloseWrite()
	le := binary.LittleEndian
	for {
		b := make([]byte, wire.HeaderSize)
		n, err := io.ReadFull(from, b)
		sound := crc32.Checksum(b[:28], castagnoli) == le.Uint32(b[28:])
		if mend && !sound && string(b[:4]) == "GWB1" && b[4] == 1 {
			b[13], sound = 0, true
			resum(b)
		}
		ctrl, size := le.Uint32(b[12:]), le.Uint32(b[16:])
		if err != nil || !sound || string(b[:4]) != "GWB1" || b[4] != 1 || ctrl > 1<<16 || size > 1<<24 {
			if _, err := to.Write(b[:n]); err == nil {
				_, _ = io.Copy(to, from)
			}
			return
		}
		body := make([]byte, ctrl+size)
		n, err = io.ReadFull(from, body)
		b = append(b, body[:n]...)
		if err == nil && edit != nil {
			b = edit(b)
		}
		if _, err := to.Write(b); err != nil {
			return
		}
	}
}

// message changes the control message of frames of one type and makes all sums right.
func message(t wire.Type, edit func(m map[string]any)) func([]byte) []byte {
	return func(b []byte) []byte {
		if b[6] != byte(t) {
			return b
		}
		n := binary.LittleEndian.Uint32(b[12:])
		m := map[string]any{}
		if n > 0 && msgpack.Unmarshal(b[32:32+n], &m) != nil {
			return b
		}
		edit(m)
		ctrl, err := msgpack.Marshal(m)
		if err != nil {
			return b
		}
		return sums(slices.Concat(b[:32], ctrl, b[32+n:]), len(ctrl))
	}
}

// sums makes lengths and checksums fit.
func sums(b []byte, ctrl int) []byte {
	le := binary.LittleEndian
	le.PutUint32(b[12:], uint32(ctrl))
	le.PutUint32(b[16:], uint32(len(b)-32-ctrl))
	le.PutUint32(b[24:], crc32.Checksum(b[32:], castagnoli))
	return resumed(b)
}

// bulk changes the payload of frames of one type.
func bulk(t wire.Type, edit func(b []byte)) func([]byte) []byte {
	return func(b []byte) []byte {
		n := int(binary.LittleEndian.Uint32(b[12:]))
		if b[6] == byte(t) && len(b) > 32+n {
			edit(b[32+n:])
			return sums(b, n)
		}
		return b
	}
}

// stale is a model whose configure gives the same object again and again.
func stale(s *serve.Spec) {
	m := &kept{}
	s.New = func() (serve.Model, error) { return m, nil }
}

type kept struct {
	sync.Mutex
	twin.Model
}

func (*kept) Reset() {}

func (m *kept) Cycle(in, out []uint64) {
	m.Lock()
	defer m.Unlock()
	m.Model.Cycle(in, out)
}

// Each fault in a server fails the check that is there for it, by name.
func TestFaultyServers(t *testing.T) {
	plus := func(key string, d int) func(map[string]any) {
		return func(m map[string]any) { m[key] = number(m[key]) + int64(d) }
	}
	frame := func(up, down func([]byte) []byte) func() faulty {
		return func() faulty { return faulty{up: up, down: down} }
	}
	overwrite := func(key string, v any) func(map[string]any) { return func(m map[string]any) { m[key] = v } }
	for name, c := range map[string]struct {
		spec  func(*serve.Spec)
		wrong func() faulty
		fails []string // these, and perhaps others
		only  bool     // and no others
	}{
		"another version in its hello": {wrong: frame(nil, message(wire.TypeHello, plus("version", 1))),
			fails: []string{"hello/first"}, only: true},
		"wrong words in its hello": {wrong: frame(nil, message(wire.TypeHello, plus("out_words", 1))),
			fails: []string{"hello/first"}, only: true},
		"takes any schema": {wrong: frame(message(wire.TypeHello, overwrite("schema_hash", adder.SchemaHash)), nil),
			fails: []string{"hello/schema-hash"}, only: true},
		"takes any version": {wrong: frame(message(wire.TypeHello, overwrite("version", 1)), nil),
			fails: []string{"hello/version"}, only: true},
		"takes any token": {wrong: frame(message(wire.TypeHello, overwrite("token", "secret")), nil),
			fails: []string{"hello/token"}, only: true},
		"refuses without values": {wrong: frame(nil, message(wire.TypeError, func(m map[string]any) { delete(m, "ours") })),
			fails: []string{"hello/schema-hash", "hello/block"}},
		"wrong kinds of error": {wrong: frame(nil, message(wire.TypeError, overwrite("kind", "protocol"))),
			fails: []string{"hello/params", "frame/magic", "frame/truncated", "frame/oversize-bulk"}},
		"checks no header checksum": {wrong: func() faulty { return faulty{mend: true} },
			fails: []string{"frame/header-checksum"}, only: true},
		"checks no payload checksum": {wrong: frame(func(b []byte) []byte {
			binary.LittleEndian.PutUint32(b[24:], crc32.Checksum(b[32:], castagnoli))
			return resumed(b)
		}, nil), fails: []string{"frame/bulk-checksum"}},
		"checks no flags": {wrong: frame(func(b []byte) []byte { b[7] = 0; return resumed(b) }, nil),
			fails: []string{"frame/flags"}, only: true},
		"checks no reserved": {wrong: frame(func(b []byte) []byte { clear(b[20:24]); return resumed(b) }, nil),
			fails: []string{"frame/reserved"}, only: true},
		"checks no sequence": {wrong: renumber, fails: []string{"frame/sequence-ahead", "frame/sequence-again"}},
		"numbers no frames": {wrong: frame(nil, func(b []byte) []byte { clear(b[8:12]); return resumed(b) }),
			fails: []string{"hello/accepted"}},
		"wrong payload sums": {wrong: frame(nil, func(b []byte) []byte { b[24] ^= 1; return resumed(b) }),
			fails: []string{"hello/first"}, only: true},
		"wrong digest": {wrong: frame(nil, message(wire.TypeFinished, plus("digest", 1))),
			fails: []string{"batch/equal", "finish/empty"}},
		"counts one too many": {wrong: frame(nil, message(wire.TypeFinished, plus("cycles", 1))),
			fails: []string{"batch/equal", "mismatch/start"}},
		"mismatch one too far": {wrong: frame(nil, message(wire.TypeMismatch, plus("cycle", 1))),
			fails: []string{"mismatch/middle", "mismatch/start", "mismatch/end", "batch/rule-valid"}},
		"mismatch of others": {wrong: frame(nil, bulk(wire.TypeMismatch, func(b []byte) { b[0] ^= 4 })),
			fails: []string{"mismatch/middle"}},
		"compares all fields": {wrong: frame(bulk(wire.TypeBatch, exact), nil), fails: []string{"batch/rule-fields"}},
		"does not see until": {wrong: frame(message(wire.TypeStep, func(m map[string]any) {
			if number(m["cycles"]) > 1 {
				delete(m, "until")
				delete(m, "max")
			}
		}), nil), fails: []string{"step/until"}},
		"ends before max": {wrong: frame(message(wire.TypeStep,
			func(m map[string]any) { m["max"] = max(number(m["max"])-1, 0) }), nil), fails: []string{"step/max"}},
		"stops at unknown keys": {wrong: frame(strict, nil), fails: []string{"control/unknown-keys"}, only: true},
		"does not answer bye": {wrong: frame(nil, func(b []byte) []byte { return drop(b, wire.TypeBye) }),
			fails: []string{"bye/answered"}, only: true},
		"does not say what it serves": {wrong: frame(nil, message(wire.TypeHello,
			func(m map[string]any) { m["requests"] = "configure,batch,finish,step,ask" })),
			fails: []string{"unserved/describe"}, only: true},
		"extra bits in responses": {wrong: frame(nil, bulk(wire.TypeAnswer, func(b []byte) { b[0] |= 1 })),
			fails: []string{"ask/responses"}},
		"one response for another": {wrong: frame(nil, bulk(wire.TypeAnswer, func(b []byte) { b[8] ^= 1 })),
			fails: []string{"ask/responses"}},
		"wrong layout": {wrong: frame(nil, message(wire.TypeDescribed, overwrite("in", "control rst_n 0\n"))),
			fails: []string{"describe/layout"}, only: true},
		"one model for all": {spec: stale, fails: []string{"clients/separate", "configure/new-model"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open := served(t, c.spec)
			if c.wrong != nil {
				open = through(open, c.wrong)
			}
			wait := 2 * time.Second
			if c.only { // where no check may fail because the machine is loaded
				wait = 10 * time.Second
			}
			_, failed, _, text := verdicts(t, open, wait)
			if c.only {
				require.Equal(t, c.fails, failed, text)
			}
			require.Subset(t, failed, c.fails, text)
		})
	}
}

// exact makes a difference of every field that a want record has beside what is valid, as a server does
// that compares whole records: the model leaves such fields 0.
func exact(b []byte) {
	le := binary.LittleEndian
	n := len(b) / 8 / (adder.InWords + adder.OutWords)
	for want := b[8*n*adder.InWords:]; len(want) > 0; want = want[8*adder.OutWords:] {
		w := le.Uint64(want)
		if w&adder.OutRspValid == 0 && (w&^adder.OutControl != 0 || le.Uint64(want[8:]) != 0) {
			want[0] ^= byte(adder.OutEvReady)
		}
	}
}

// renumber gives a server that does not look at sequence numbers what it wants to see.
func renumber() faulty {
	n := uint32(0)
	return faulty{up: func(b []byte) []byte {
		binary.LittleEndian.PutUint32(b[8:], n)
		n++
		return resumed(b)
	}}
}

// strict turns a control message with a key that is not in the protocol into one that is refused.
func strict(b []byte) []byte {
	if bytes.Contains(b, []byte("\xa3new")) {
		return sums(append(slices.Clone(b[:32]), 0xc0), 1)
	}
	return b
}

func drop(b []byte, t wire.Type) []byte {
	if b[6] == byte(t) {
		return nil
	}
	return b
}

func resumed(b []byte) []byte {
	resum(b)
	return b
}

// number returns an integer that came out of msgpack.
func number(v any) int64 {
	x := reflect.ValueOf(v)
	switch {
	case x.CanInt():
		return x.Int()
	case x.CanUint():
		return int64(x.Uint())
	}
	return 0
}
