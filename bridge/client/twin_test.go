package client

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/twin"
	"github.com/goldwire/goldwire/bridge/launch/testdata/tiny/vectors/event/adder"
	"github.com/goldwire/goldwire/bridge/wire"
)

// record packs one input record.
func record(ev adder.Event, control uint64) []uint64 {
	r := make([]uint64, adder.InWords)
	adder.PackEvent(&ev, r)
	r[0] |= control
	return r
}

const running = adder.InRstN | adder.InRspReady

// traffic returns n cycles of random events with idle gaps, back-pressure and resets, and what the twin says.
// It starts by giving the scratch register a value.
func traffic(seed uint64, n int) (in, want []uint64) {
	rng := rand.New(rand.NewPCG(seed, 1))
	in, want = make([]uint64, n*adder.InWords), make([]uint64, n*adder.OutWords)
	var m twin.Model
	for i := range n {
		ev := adder.Event{Op: adder.Op(rng.IntN(3)), A: rng.Uint32(), B: rng.Uint32(), Tag: rng.Uint64()}
		control := uint64(rng.IntN(8)) | adder.InRstN
		switch {
		case i < 2:
			control = 0
		case i == 2:
			ev.Op, control = adder.OpPoke, running|adder.InEvValid
		case rng.IntN(200) == 0:
			control &^= adder.InRstN
		}
		r := in[i*adder.InWords : (i+1)*adder.InWords]
		adder.PackEvent(&ev, r)
		r[0] |= control
		m.Cycle(r, want[i*adder.OutWords:(i+1)*adder.OutWords])
	}
	return in, want
}

// digest is the digest of expected outputs under the compare rule.
func digest(want []uint64) wire.Digest {
	var d wire.Digest
	for i := 0; i < len(want); i += adder.OutWords {
		r := [adder.OutWords]uint64{want[i] & adder.OutControl}
		if want[i]&adder.OutRspValid != 0 {
			copy(r[:], want[i:i+adder.OutWords])
		}
		d = d.Add(r[:])
	}
	return d
}

type testBinary = launch.Binary

var builds struct {
	sync.Mutex
	made map[bool]*launch.Binary
}

// dut returns the built test block, with or without waves.
func dut(t testing.TB, trace bool) *launch.Binary {
	t.Helper()
	builds.Lock()
	defer builds.Unlock()
	if b := builds.made[trace]; b != nil {
		return b
	}
	name := "test-adder"
	if trace {
		name = "test-adder-trace"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	bin, err := launch.Build(ctx, launch.BuildSpec{Root: "../launch/testdata/tiny", Block: "adder",
		Shell: "../../hdl/shell",
		Trace: trace, OutDir: filepath.Join("../../build/dut", name)})
	require.NoError(t, err)
	if builds.made == nil {
		builds.made = map[bool]*launch.Binary{}
	}
	builds.made[trace] = bin
	return bin
}

// open starts a session that the end of the test closes.
func open(t testing.TB, edit func(*Options)) *Session {
	t.Helper()
	opt := DefaultOptions()
	if os.Getenv("GW_TEST_VERBOSE") != "" {
		opt.Log = func(l string) { t.Log(l) }
	}
	if edit != nil {
		edit(&opt)
	}
	s, err := Start(t.Context(), dut(t, false), opt)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// eachTransport runs a test over all transports.
func eachTransport(t *testing.T, f func(t *testing.T, tr Transport)) {
	for _, tr := range []Transport{Unix, TCP, Shm} {
		t.Run(string(tr), func(t *testing.T) { f(t, tr) })
	}
}
