package conform

import (
	"bytes"
	"context"
	"encoding/binary"
	"net"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/serve"
	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// What a server of events alone answers is checked without steps.
func TestFaultyEventServers(t *testing.T) {
	alone := message(wire.TypeHello, func(m map[string]any) { m["requests"] = "configure,ask,describe" })
	answers := func() func(b []byte) []byte {
		n := 0
		wrong := bulk(wire.TypeAnswer, func(b []byte) { b[8] ^= 1 })
		return func(b []byte) []byte {
			if wire.Type(b[6]) == wire.TypeAnswer {
				if n++; n == 2 {
					return wrong(b)
				}
			}
			return b
		}
	}
	var asks atomic.Int32 // of all clients
	shared := func() func(b []byte) []byte {
		return func(b []byte) []byte {
			if wire.Type(b[6]) != wire.TypeAnswer {
				return b
			}
			n := asks.Add(1)
			return bulk(wire.TypeAnswer, func(b []byte) { b[8] ^= byte(n >> 1 & 1) })(b)
		}
	}
	// The first bit of a record that belongs to no field and no control.
	l := event.NewLayout(adder.Schema())
	taken, at := l.Out.StreamMask("rsp"), 0
	taken[0] |= l.Out.ControlMask()
	for taken[at/64]>>(at%64)&1 != 0 {
		at++
	}
	beside := bulk(wire.TypeAnswer, func(b []byte) { b[at/8] |= 1 << (at % 8) })
	for name, c := range map[string]struct {
		down  func() func([]byte) []byte
		fails []string
	}{
		"bits beside its stream": {down: func() func([]byte) []byte { return beside },
			fails: []string{"ask/repeated", "ask/one-by-one"}},
		"one model for all":      {down: shared, fails: []string{"ask/separate", "ask/new-model"}},
		"the second ask differs": {down: answers, fails: []string{"ask/one-by-one", "ask/sizes", "ask/new-model"}},
	} {
		t.Run(name, func(t *testing.T) {
			open := through(served(t, nil), func() faulty {
				edit := c.down()
				return faulty{down: func(b []byte) []byte { return edit(alone(b)) }}
			})
			_, failed, _, text := verdicts(t, open, 2*time.Second)
			require.Subset(t, failed, c.fails, text)
		})
	}
}

// An event may have no response or several: what is asked for is that every way of asking gives as many.
func TestEventServersThatAnswerOtherwise(t *testing.T) {
	ow := event.NewLayout(adder.Schema()).Out.Words
	// answering gives each response as many times as times says for its sum.
	answering := func(times func(sum uint64) int) func(b []byte) []byte {
		return func(b []byte) []byte {
			if wire.Type(b[6]) != wire.TypeAnswer {
				return b
			}
			n := 32 + int(binary.LittleEndian.Uint32(b[12:]))
			out := slices.Clone(b[:n])
			for at := n; at < len(b); at += 8 * ow {
				rec := make([]uint64, ow)
				for w := range rec {
					rec[w] = binary.LittleEndian.Uint64(b[at+8*w:])
				}
				var rsp adder.Response
				adder.UnpackResponse(rec, &rsp)
				out = append(out, bytes.Repeat(b[at:at+8*ow], times(rsp.Sum))...)
			}
			return message(wire.TypeAnswer, func(m map[string]any) { m["responses"] = (len(out) - n) / 8 / ow })(out)
		}
	}
	alone := message(wire.TypeHello, func(m map[string]any) { m["requests"] = "configure,ask,describe" })
	var calls atomic.Int32
	for name, c := range map[string]struct {
		times func(sum uint64) int
		fails []string
	}{
		"twice":             {func(uint64) int { return 2 }, nil},
		"never":             {func(uint64) int { return 0 }, nil},
		"by the event":      {func(sum uint64) int { return int(sum % 3) }, nil},
		"as the mood takes": {func(uint64) int { return int(calls.Add(1)-1) / 20 % 2 }, []string{"ask/repeated"}},
	} {
		t.Run(name, func(t *testing.T) {
			open := through(served(t, nil), func() faulty {
				return faulty{down: func(b []byte) []byte { return answering(c.times)(alone(b)) }}
			})
			passed, failed, _, text := verdicts(t, open, 20*time.Second)
			require.Subset(t, failed, c.fails, text)
			for _, check := range []string{"ask/repeated", "ask/one-by-one", "ask/sizes", "ask/new-model", "ask/separate"} {
				require.True(t, c.fails != nil || slices.Contains(passed, check), text)
			}
		})
	}
}

// A server that has not noticed yet that a client left gets time; one that stays full, or sends another error
// in place of its hello, is told with kind and text.
func TestBusyServer(t *testing.T) {
	open := served(t, func(s *serve.Spec) { s.MaxClients = 2 })
	var n atomic.Int32
	refuse := func(kind string) (net.Conn, string, error) {
		fds, err := socketpair()
		if err != nil {
			return nil, "", err
		}
		err = wire.NewWriter(fds[0]).Write(wire.TypeError, &wire.Failure{Kind: kind, Text: "no more of them"})
		fds[0].Close()
		return fds[1], "secret", err
	}
	_, failed, _, text := verdicts(t, func(ctx context.Context) (net.Conn, string, error) {
		if n.Add(1)%3 != 0 {
			return refuse("busy")
		}
		return open(ctx)
	}, 20*time.Second)
	require.Empty(t, failed, text)
	for _, kind := range []string{"busy", "address"} {
		_, failed, _, text = verdicts(t, func(context.Context) (net.Conn, string,
			error) {
			return refuse(kind)
		}, 200*time.Millisecond)
		require.Equal(t, []string{"hello/first"}, failed)
		require.Contains(t, text, "the first frame is the error "+kind+" (no more of them), not hello")
	}
}
