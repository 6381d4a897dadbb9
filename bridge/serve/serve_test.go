package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/twin"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

func tinySpec() Spec {
	return Spec{Block: adder.Schema(), New: func() (Model, error) { return &twin.Model{}, nil }}
}

// start serves until the test ends and returns the address.
func start(t testing.TB, spec Spec, address string) string {
	t.Helper()
	s, err := New(spec)
	require.NoError(t, err)
	l, address, err := launch.Listen(address)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
	return address
}

func sock(t testing.TB) string { return "unix:" + filepath.Join(t.TempDir(), "s") }

func dial(t testing.TB, address string, edit func(*client.Options)) *client.Session {
	t.Helper()
	opt := client.DefaultOptions()
	if edit != nil {
		edit(&opt)
	}
	s, err := client.Dial(t.Context(), address, adder.Schema(), nil, opt)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// traffic is n cycles of events with idle gaps, back-pressure and resets, and what the model gives.
func traffic(seed uint64, n int) (in, want []uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	in, want = make([]uint64, n*adder.InWords), make([]uint64, n*adder.OutWords)
	var m twin.Model
	for i := range n {
		r := in[i*adder.InWords : (i+1)*adder.InWords]
		adder.PackEvent(&adder.Event{Op: adder.Op(rng.IntN(3)), A: rng.Uint32(), B: rng.Uint32(), Tag: rng.Uint64()}, r)
		switch {
		case i < 2:
		case rng.IntN(200) == 0:
			r[0] |= adder.InEvValid
		default:
			r[0] |= uint64(rng.IntN(8)) | adder.InRstN
		}
		m.Cycle(r, want[i*adder.OutWords:(i+1)*adder.OutWords])
	}
	return in, want
}

func record(ev adder.Event) []uint64 {
	r := make([]uint64, adder.InWords)
	adder.PackEvent(&ev, r)
	r[0] |= adder.InEvValid
	return r
}

func TestReplayAndStep(t *testing.T) {
	for _, address := range []string{sock(t), "tcp:127.0.0.1:0"} {
		address = start(t, tinySpec(), address)
		s := dial(t, address, func(o *client.Options) { o.Batch, o.MinBatch = 100, 50 })
		in, want := traffic(1, 5000)
		require.NoError(t, s.Replay(in, want))
		res, err := s.Finish()
		require.NoError(t, err)
		require.Nil(t, res.Mismatch)
		require.EqualValues(t, 5000, res.Cycles)

		require.NoError(t, s.Restart(1))
		out := make([]uint64, len(want))
		require.NoError(t, s.Step(in, out))
		require.Equal(t, want, out)

		for _, at := range []int{0, 7, 99, 100, 640, 4999} {
			require.NoError(t, s.Restart(1))
			bad := slices.Clone(want)
			bad[at*adder.OutWords] ^= adder.OutEvReady
			require.NoError(t, s.Replay(in, bad))
			res, err := s.Finish()
			require.NoError(t, err)
			m := res.Mismatch
			require.NotNil(t, m)
			from, to := max(0, at-32), min(4999, at+8)
			require.EqualValues(t, at, m.Cycle)
			require.EqualValues(t, at, res.Cycles)
			require.EqualValues(t, from, m.From)
			require.Equal(t, in[from*3:(to+1)*3], m.In)
			require.Equal(t, bad[from*2:(to+1)*2], m.Want)
			require.Equal(t, want[from*2:(to+1)*2], m.Got)
		}
		// The digest is the shell's: the rule of wire.Digest over what counts.
		require.NoError(t, s.Restart(1))
		require.NoError(t, s.Replay(in, want))
		res, err = s.Finish()
		require.NoError(t, err)
		require.Equal(t, digest(want), res.Digest)
	}
}

// digest is written without wire.Rule.
func digest(want []uint64) (d wire.Digest) {
	for i := 0; i < len(want); i += adder.OutWords {
		r := [adder.OutWords]uint64{want[i] & adder.OutControl}
		if want[i]&adder.OutRspValid != 0 {
			copy(r[:], want[i:])
		}
		d = d.Add(r[:])
	}
	return d
}

func TestStepUntil(t *testing.T) {
	s := dial(t, start(t, tinySpec(), sock(t)), nil)
	out := make([]uint64, 20*adder.OutWords)
	ev := record(adder.Event{A: 4, B: 5, Tag: 77})
	ev[0] |= adder.InRstN | adder.InRspReady
	n, err := s.StepUntil(slices.Concat(make([]uint64, 3), ev), out, adder.OutRspValid)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	n, err = s.StepUntil(make([]uint64, 3), out, adder.OutRspValid)
	require.NoError(t, err)
	require.Equal(t, 20, n)
}

func TestAsk(t *testing.T) {
	s := dial(t, start(t, tinySpec(), sock(t)), nil)
	var events []uint64
	for i := range 1000 {
		events = append(events, record(adder.Event{A: uint32(i), B: 10, Tag: uint64(i) << 40})...)
	}
	for range 2 { // the state goes on
		got, err := s.Ask(events)
		require.NoError(t, err)
		require.Len(t, got, 1000*adder.OutWords)
		for i := range 1000 {
			var rsp adder.Response
			r := got[i*adder.OutWords : (i+1)*adder.OutWords]
			adder.UnpackResponse(r, &rsp)
			require.Equal(t, adder.Response{Sum: uint64(i) + 11, Tag: uint64(i) << 40}, rsp)
			require.Equal(t, adder.OutRspValid, r[0]&adder.OutControl)
		}
	}
	_, err := s.Ask(record(adder.Event{Op: adder.OpPoke, A: 99}))
	require.NoError(t, err)
	_, err = s.Ask(nil)
	require.Error(t, err)
	_, err = s.Ask(make([]uint64, 3))
	require.ErrorIs(t, err, wire.ErrProtocol, "an event without a valid bit")
}

// Each client has a model of its own, and one that misbehaves disturbs nobody.
func TestManyClients(t *testing.T) {
	address := start(t, tinySpec(), sock(t))
	var wg sync.WaitGroup
	for c := range 12 {
		wg.Go(func() {
			s, err := client.Dial(t.Context(), address, adder.Schema(), nil, client.DefaultOptions())
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if _, err := s.Ask(record(adder.Event{Op: adder.OpPoke, A: uint32(c)})); err != nil {
				t.Error(err)
			}
			for range 50 {
				got, err := s.Ask(record(adder.Event{Op: adder.OpPeek}))
				if err != nil || got[0]>>2 != uint64(c) {
					t.Errorf("client %d reads %v, %v", c, got, err)
					return
				}
			}
		})
		if c%3 == 0 {
			n, err := net.Dial("unix", address[len("unix:"):])
			require.NoError(t, err)
			fmt.Fprint(n, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
			n.Close()
		}
	}
	wg.Wait()
}

func TestLimits(t *testing.T) {
	spec := tinySpec()
	spec.MaxClients, spec.Token = 1, "secret"
	address := start(t, spec, sock(t))
	good := func(o *client.Options) { o.Token = "secret" }
	s := dial(t, address, good)
	opt := client.DefaultOptions()
	good(&opt)
	_, err := client.Dial(t.Context(), address, adder.Schema(), nil, opt)
	require.ErrorIs(t, err, wire.ErrBusy)
	require.NoError(t, s.Close())
	require.Eventually(t, func() bool {
		s, err := client.Dial(t.Context(), address, adder.Schema(), nil, opt)
		if err == nil {
			s.Close()
		}
		return err == nil
	}, 2*time.Minute, 5*time.Millisecond, "a client that leaves makes room")

	require.Eventually(t, func() bool {
		_, err = client.Dial(t.Context(), address, adder.Schema(), nil, client.DefaultOptions())
		return err != nil && !errorsIs(err, wire.ErrBusy)
	}, 2*time.Minute, 5*time.Millisecond)
	require.ErrorIs(t, err, wire.ErrToken)

	// Who says nothing is let go.
	spec.HelloTimeout = 100 * time.Millisecond
	address = start(t, spec, sock(t))
	c, err := net.Dial("unix", address[len("unix:"):])
	require.NoError(t, err)
	defer c.Close()
	require.NoError(t, c.SetDeadline(time.Now().Add(2*time.Minute)))
	r := wire.NewReader(c, wire.DefaultLimits())
	for err == nil {
		_, err = r.Next()
	}
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
}

func errorsIs(err, kind error) bool {
	e, ok := err.(*wire.Error)
	return ok && e.Kind == kind
}

func TestRefusals(t *testing.T) {
	address := start(t, tinySpec(), sock(t))
	_, err := client.Dial(t.Context(), address, adder.Schema(), map[string]int{"Offset": 2}, client.DefaultOptions())
	require.ErrorIs(t, err, wire.ErrParams)
	require.ErrorContains(t, err, "ours Offset=2, theirs Offset=1; start the server")
	_, err = client.Dial(t.Context(), "unix:"+filepath.Join(t.TempDir(), "none"), adder.Schema(), nil,
		client.DefaultOptions())
	require.ErrorIs(t, err, wire.ErrAddress)
	require.ErrorContains(t, err, "no server listens at unix:")
	for _, bad := range []string{"", "unix:", "tcp:10.0.0.1:80", "tcp:127.0.0.1", "pipe:x"} {
		_, err = client.Dial(t.Context(), bad, adder.Schema(), nil, client.DefaultOptions())
		require.ErrorIs(t, err, wire.ErrAddress, bad)
		_, _, err = launch.Listen(bad)
		if bad != "tcp:127.0.0.1" {
			require.ErrorIs(t, err, wire.ErrAddress, bad)
		}
	}

	s := dial(t, address, nil)
	require.ErrorIs(t, s.Trace("/tmp/x.vcd", 0, 10), wire.ErrUnsupported)
	_, err = s.Bench("/tmp/x", 1)
	require.ErrorIs(t, err, wire.ErrUnsupported)
	_, err = s.Ask(record(adder.Event{A: 1}))
	require.NoError(t, err, "the conversation goes on")
}

// A model that panics, and one that never takes an event.
type brokenModel struct{ twin.Model }

func (m *brokenModel) Cycle(in, out []uint64) {
	if in[2] == 666 {
		panic("out of range")
	}
	m.Model.Cycle(in, out)
	if in[2] == 667 {
		out[0] &^= adder.OutEvReady | adder.OutRspValid
	}
}

func TestBrokenModels(t *testing.T) {
	spec := tinySpec()
	spec.New = func() (Model, error) { return &brokenModel{}, nil }
	address := start(t, spec, sock(t))
	other := dial(t, address, nil)
	s := dial(t, address, nil)
	_, err := s.Ask(record(adder.Event{Tag: 667}))
	require.ErrorIs(t, err, wire.ErrStalled)
	require.NoError(t, s.Restart(1))
	_, err = s.Ask(record(adder.Event{Tag: 666}))
	require.ErrorIs(t, err, wire.ErrModel)
	require.ErrorContains(t, err, "out of range")
	_, err = other.Ask(record(adder.Event{Tag: 1}))
	require.NoError(t, err)
}

// A server that ends leaves no goroutine, no socket and no client in the dark.
func TestEnd(t *testing.T) {
	before := runtime.NumGoroutine()
	s, err := New(tinySpec())
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "s")
	l, address, err := launch.Listen("unix:" + path)
	require.NoError(t, err)
	fi, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), fi.Mode().Perm())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	c, err := client.Dial(t.Context(), address, adder.Schema(), nil, client.DefaultOptions())
	require.NoError(t, err)
	cancel()
	require.NoError(t, <-done)
	require.NoFileExists(t, path)
	require.Eventually(t, func() bool { _, err = c.Ask(record(adder.Event{})); return err != nil },
		2*time.Minute, time.Millisecond)
	require.ErrorIs(t, err, wire.ErrDUTExited)
	require.ErrorContains(t, err, "closed the connection")
	require.NoError(t, c.Close())
	for end := time.Now().Add(30 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		require.True(t, time.Now().Before(end), "goroutines leak")
	}
}
