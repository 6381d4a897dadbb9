package rccc

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// spec is a window of ten packets of 1,000 bytes.
var spec = Spec{MaxWnd: 10_000, MTU: 1000}

// opened returns a context with so many bytes to send.
func opened(backlog int64) State {
	f := NewState(&spec)
	f.OnData(backlog)
	return f
}

func TestSpec(t *testing.T) {
	require.NoError(t, spec.Validate())
	require.ErrorContains(t, (&Spec{MTU: 1000}).Validate(), "rccc spec: max_wnd = 0: want from 64")
	require.ErrorContains(t, (&Spec{MaxWnd: 1 << 31, MTU: 1000}).Validate(), "max_wnd = 2.147483648e+09")
	require.ErrorContains(t, (&Spec{MaxWnd: 1000}).Validate(), "packet = 0")
	f := NewState(&spec)
	require.Len(t, f.Fields(), 5)
}

// TestNumbers: numbers wrap at 2^24, and which of two is later is decided modulo 2^24.
func TestNumbers(t *testing.T) {
	const last = Number(1<<24 - 1)
	require.Equal(t, Number(16_773_120), First)
	require.Equal(t, Number(0), last.Plus(1))
	require.Equal(t, last, Number(0).Plus(-1))
	require.Equal(t, Number(1<<12), First.Plus(1<<13))
	for _, c := range []struct {
		n, m Number
		want int64
	}{{5, 5, 0}, {6, 5, 1}, {5, 6, -1}, {0, last, 1}, {last, 0, -1}, {1<<23 - 1, 0, 1<<23 - 1}, {1 << 23, 0, -1 << 23},
		{1<<23 + 1, 0, 1 - 1<<23}} {
		require.Equal(t, c.want, c.n.Since(c.m), "%d since %d", c.n, c.m)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := Number(rapid.Uint32Range(0, 1<<24-1).Draw(t, "n"))
		by := rapid.Int64Range(-1<<23, 1<<23-1).Draw(t, "quanta")
		require.Equal(t, by, n.Plus(by).Since(n))
		require.Less(t, n.Plus(by), Number(1<<24))
	})
}

// TestSpends: a sender starts with speculative credit of its largest window; any packet, new or again, takes its size,
// also below 0; with any credit it may send. A credit request takes none.
func TestSpends(t *testing.T) {
	f := opened(1_000_000)
	require.Equal(t, State{Credit: 10_000, Last: First, Backlog: 1_000_000, Speculating: true}, f)
	f.OnSend(1000, false, false)
	require.Equal(t, State{Credit: 9000, Last: First, Backlog: 999_000, Speculating: true}, f)
	f.OnNack(1000)
	f.Credit = 1
	require.True(t, f.CanSend())
	f.OnSend(1000, true, false)
	require.Equal(t, State{Credit: -999, Last: First, Backlog: 999_000}, f)
	require.False(t, f.CanSend())
	f.OnData(64)
	f.OnSend(64, false, true)
	require.Equal(t, State{Credit: -999, Last: First, Backlog: 999_000}, f)
	f.Credit = 0
	require.False(t, f.CanSend(), "no credit is not any")
	f.OnSend(64, false, false)
	require.Equal(t, int64(998_936), f.Backlog)
}

// TestBacklogs: what is acknowledged while it waits to be resent leaves the backlog, and neither falls below 0.
func TestBacklogs(t *testing.T) {
	f := opened(1500)
	f.OnNack(1000)
	f.OnNack(400)
	f.OnAck(1000)
	require.Equal(t, int64(400), f.RtxBacklog)
	f.OnAck(1000)
	require.Zero(t, f.RtxBacklog)
	f.OnNack(400)
	f.OnSend(1000, true, false)
	require.Zero(t, f.RtxBacklog)
	require.Equal(t, int64(1500), f.Backlog)
	f.OnData(-600)
	require.Equal(t, int64(900), f.Backlog)
	f.OnSend(1000, false, false)
	require.Zero(t, f.Backlog)
	f.OnData(-1)
	require.Zero(t, f.Backlog)
}

// TestSpeculation: it ends with the first ACK, NACK or pull, and with a timer while others wait to be resent. Positive
// credit becomes 0 then, and negative credit stays.
func TestSpeculation(t *testing.T) {
	for name, c := range map[string]struct {
		on   func(f *State) Action
		want Action
	}{
		"ACK":  {func(f *State) Action { return f.OnAck(0) }, Stop},
		"NACK": {func(f *State) Action { return f.OnNack(1000) }, Stop},
		"pull": {func(f *State) Action { return f.OnCredit(&spec, First) }, Old},
		"second timer": {func(f *State) Action {
			require.Equal(t, None, f.OnLoss(1000))
			require.True(t, f.Speculating, "the first alone does not end it")
			return f.OnLoss(1000)
		}, Stop},
	} {
		for credit, want := range map[int64]int64{10_000: 0, 1: 0, 0: 0, -300: -300} {
			f := opened(1_000_000)
			f.Credit = credit
			require.Equal(t, c.want, c.on(&f), name)
			require.False(t, f.Speculating, name)
			require.Equal(t, want, f.Credit, name)
			f.Credit = 700
			require.Equal(t, None, f.OnAck(0), "it ends once")
			require.Equal(t, None, f.OnNack(1000))
			require.Equal(t, None, f.OnLoss(1000))
			require.Equal(t, int64(700), f.Credit, "credit that was granted stays, whatever is lost")
		}
	}
}

// TestPulls: a pull brings the quanta since the last one, at most up to the largest window. Others change nothing, also
// across the wrap.
func TestPulls(t *testing.T) {
	f := opened(1_000_000)
	f.OnAck(0)
	f.Last = 1<<24 - 2
	require.Equal(t, Granted, f.OnCredit(&spec, 1<<24-1))
	require.Equal(t, int64(256), f.Credit)
	require.Equal(t, Granted, f.OnCredit(&spec, 3))
	require.Equal(t, int64(5*256), f.Credit)
	for _, n := range []Number{3, 2, 0, 1<<24 - 1, 3 + 1<<23} {
		before := f
		require.Equal(t, Old, f.OnCredit(&spec, n), n)
		require.Equal(t, before, f)
	}
	f.Credit = -20_000
	require.Equal(t, Granted, f.OnCredit(&spec, 103))
	require.Equal(t, int64(5600), f.Credit, "100 quanta less the debt")
	require.Equal(t, Granted, f.OnCredit(&spec, 203))
	require.Equal(t, int64(10_000), f.Credit)
	require.Equal(t, Number(203), f.Last)
}

// TestAsks: a packet asks for an ACK when the backlog ends with it, or the credit.
func TestAsks(t *testing.T) {
	for _, c := range []struct {
		credit, backlog int64
		want            bool
	}{{1, 1, false}, {1, 0, true}, {0, 1, true}, {-1, 1, true}, {0, 0, true}} {
		require.Equal(t, c.want, (&State{Credit: c.credit, Backlog: c.backlog}).AckReq(), c)
	}
}

// TestTarget follows the rules of the credit target one by one.
func TestTarget(t *testing.T) {
	const far = int64(1) << 40
	for name, c := range map[string]struct {
		f       State
		cwnd    int64
		sources int
		want    int64 // quanta beyond the last pull
	}{
		"both backlogs":                     {State{Backlog: 2560, RtxBacklog: 256}, far, 1, 11},
		"rounded up":                        {State{Backlog: 2561}, far, 1, 11},
		"... by a byte at least":            {State{Backlog: 257}, far, 1, 2},
		"at most the largest window":        {State{Backlog: 9000, RtxBacklog: 9000}, far, 1, 40},
		"at most a packet beyond the cwnd":  {State{Backlog: 9000}, 2072, 1, 12},
		"less the credit":                   {State{Backlog: 2560, Credit: 512}, far, 1, 8},
		"a debt raises it":                  {State{Backlog: 2560, Credit: -512}, far, 1, 12},
		"... beyond the largest window":     {State{Backlog: 20_000, Credit: -240}, far, 1, 40},
		"below the last pull":               {State{Backlog: 256, Credit: 1024}, far, 1, -3},
		"... rounded up":                    {State{Backlog: 257, Credit: 1024}, far, 1, -2},
		"a packet while speculating":        {State{Backlog: 20, Credit: 5000, Speculating: true}, far, 1, 4},
		"... with a backlog":                {State{Credit: 5000, Speculating: true}, far, 1, -19},
		"... not one to be resent":          {State{RtxBacklog: 1000, Credit: 5000, Speculating: true}, far, 1, -15},
		"... and more where more is needed": {State{Backlog: 9000, Credit: 5000, Speculating: true}, far, 1, 16},
		"shared":                            {State{Backlog: 7680}, far, 3, 10},
		"... after the packet":              {State{Backlog: 20, Credit: 5000, Speculating: true}, far, 2, 2},
		"... not with none":                 {State{Backlog: 7680}, far, 0, 30},
	} {
		for _, last := range []Number{First, 7, 1<<24 - 5} {
			c.f.Last = last
			got := c.f.Target(&spec, c.cwnd, c.sources)
			require.Equal(t, c.want, got.Since(last), name)
			require.Less(t, got, Number(1<<24))
		}
	}
}
