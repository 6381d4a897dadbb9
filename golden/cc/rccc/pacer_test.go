package rccc

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/goldwire/goldwire/golden/units"
)

// quantum is 256 bytes at 99 % of 100 Gb/s, in units of 1/99 ps.
const quantum = 256 * 80 * 100

func pacer() *Pacer { return NewPacer(units.Gbps(100).PerByte()) }

// pull requires the next pull to be one of quanta for d, and the wait after it to be that of so many quanta.
func pull(t *testing.T, p *Pacer, d *Sender, quanta, wait int64) {
	t.Helper()
	before := d.Granted
	got, at, ok := p.Next()
	require.True(t, ok)
	require.Same(t, d, got, "sender %d", got.ID)
	require.Equal(t, quanta, d.Granted.Since(before))
	require.Equal(t, units.Picos(wait*quantum/99), at)
}

// rest requires that nothing is left to do.
func rest(t *testing.T, p *Pacer) {
	t.Helper()
	_, _, ok := p.Next()
	require.False(t, ok)
}

// TestPacer: active senders take turns of 64 quanta at 99 % of the link, never beyond their targets.
func TestPacer(t *testing.T) {
	p := pacer()
	a, b := NewSender(1, 0), NewSender(2, 0)
	require.True(t, p.Target(&a, First.Plus(100)), "the pacer was at rest")
	require.False(t, p.Target(&b, First.Plus(64)))
	require.False(t, p.Target(&a, First.Plus(100)), "no higher")
	require.False(t, p.Target(&a, First.Plus(99)))
	require.False(t, p.Target(&a, First.Plus(101)), "higher, and in the list")
	pull(t, p, &a, 64, 64)
	pull(t, p, &b, 64, 64)
	pull(t, p, &a, 37, 37)
	require.Equal(t, a.Target, a.Granted)
	// Both are idle, and have the excess of a window of 0 after one slow pull each.
	pull(t, p, &b, 64, 64)
	pull(t, p, &a, 64, 64)
	rest(t, p)
	require.False(t, p.Target(&a, a.Target), "no higher, and not in the list")
	rest(t, p)

	// A target that rises below what is granted brings a pull of nothing, which takes the time of 1,024 bytes.
	require.True(t, p.Target(&a, First.Plus(110)), "at rest once more")
	pull(t, p, &a, 0, 4)
	pull(t, p, &a, 64, 64)
	rest(t, p)
}

// TestNothingStarves: a sender that joins the list is served after those that are in it, however much they ask for.
func TestNothingStarves(t *testing.T) {
	p := pacer()
	big, small := NewSender(1, 0), NewSender(2, 0)
	p.Target(&big, First.Plus(1_000_000))
	for range 5 {
		pull(t, p, &big, 64, 64)
	}
	p.Target(&small, First.Plus(1))
	pull(t, p, &big, 64, 64)
	pull(t, p, &small, 1, 1)
	pull(t, p, &big, 64, 64)
}

// TestJoin: a sender with something to resend joins without a higher target, unless it is in the list.
func TestJoin(t *testing.T) {
	p := pacer()
	a := NewSender(1, 1<<20)
	require.True(t, p.Join(&a))
	require.False(t, p.Join(&a))
	pull(t, p, &a, 0, 4)
	require.False(t, p.Join(&a), "a pull is scheduled")
	pull(t, p, &a, 0, 4)
	pull(t, p, &a, 64, 64)
}

// TestSlowPulls: with no active sender the idle ones take turns beyond their targets, until the excess is a largest
// window. An active one goes first.
func TestSlowPulls(t *testing.T) {
	p := pacer()
	a, b := NewSender(1, 200*Quantum), NewSender(2, 128*Quantum)
	p.Target(&a, First.Plus(10))
	p.Target(&b, First.Plus(20))
	pull(t, p, &a, 10, 10)
	pull(t, p, &b, 20, 20)
	pull(t, p, &a, 64, 64)
	pull(t, p, &b, 64, 64)
	pull(t, p, &a, 64, 64)
	require.False(t, p.Target(&b, First.Plus(90)), "6 more than granted")
	pull(t, p, &b, 6, 6)
	// b was second in the idle list, and is there twice now: the excess is 64, then 128.
	pull(t, p, &b, 64, 64)
	pull(t, p, &a, 64, 64) // 192
	pull(t, p, &b, 64, 64)
	pull(t, p, &b, 64, 64) // its third place
	pull(t, p, &a, 64, 64) // 256, which is a window and more
	rest(t, p)
	require.Equal(t, int64(192), b.Granted.Since(b.Target))
	require.Equal(t, int64(256), a.Granted.Since(a.Target))
}

// TestIdleTimes: a sender is in the idle list at most 128 times, each of which brings a pull.
func TestIdleTimes(t *testing.T) {
	p := pacer()
	a := NewSender(1, 0)
	for i := range int64(200) {
		p.Target(&a, First.Plus(i+1))
		pull(t, p, &a, 1, 1)
	}
	for range 128 {
		pull(t, p, &a, 64, 64)
	}
	rest(t, p)
	for range 200 { // a place that is used up is free again
		require.True(t, p.Target(&a, a.Granted.Plus(5)))
		pull(t, p, &a, 5, 5)
		pull(t, p, &a, 64, 64)
		rest(t, p)
	}
}

// TestRates: gaps follow the rate of the link, which may take a fraction of a picosecond for a byte.
func TestRates(t *testing.T) {
	for gbps, want := range map[units.Gbps]units.Picos{400: 330_989, 800: 165_494, 106.25: 1_246_079} {
		p := NewPacer(gbps.PerByte())
		a := NewSender(1, 0)
		p.Target(&a, First.Plus(64))
		_, wait, _ := p.Next()
		require.Equal(t, want, wait, gbps)
	}
}

// TestCreditBalances: whatever is sent, trimmed, overtaken or lost, and however often the numbers wrap, a sender has at
// the end exactly the credit that was granted less what it spent; none is lost or doubled, no grant but a slow one goes
// beyond the target, and a sender that asks is served within as many pulls as there are senders.
func TestCreditBalances(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		const n = 3
		p := pacer()
		wide := Spec{MaxWnd: 1 << 30, MTU: 4096} // so that nothing is cut off
		var f [n]State
		var d [n]Sender
		var spent, waited [n]int64
		var way [n][]Number // pulls under way
		start := Number(rapid.Uint32Range(0, 1<<24-1).Draw(rt, "start"))
		for i := range f {
			f[i], d[i] = NewState(&wide), NewSender(int32(i), 0)
			f[i].OnAck(0)
			f[i].Last, d[i].Target, d[i].Granted = start, start, start
		}
		arrive := func(i int, n Number) { f[i].OnCredit(&wide, n) }
		for range rapid.IntRange(1, 300).Draw(rt, "steps") {
			i := rapid.IntRange(0, n-1).Draw(rt, "sender")
			switch rapid.IntRange(0, 4).Draw(rt, "what") {
			case 0: // a packet is sent, and arrives
				size := rapid.Int64Range(64, 1<<22).Draw(rt, "size")
				f[i].OnData(2 * size)
				f[i].OnSend(size, false, false)
				spent[i] += size
				if rapid.Bool().Draw(rt, "arrives") {
					p.Target(&d[i], f[i].Target(&wide, wide.MaxWnd, 1))
				}
			case 1:
				p.Join(&d[i])
			case 2: // a pull overtakes those before it
				if w := way[i]; len(w) > 0 {
					at := rapid.IntRange(0, len(w)-1).Draw(rt, "pull")
					arrive(i, w[at])
					way[i] = append(w[:at:at], w[at+1:]...)
				}
			default:
				active, before := len(p.active) > 0, [n]Number{d[0].Granted, d[1].Granted, d[2].Granted}
				who, _, ok := p.Next()
				if !ok {
					continue
				}
				if grant := who.Granted.Since(before[who.ID]); active && grant != 0 {
					require.Positive(rt, grant)
					require.LessOrEqual(rt, who.Granted.Since(who.Target), int64(0))
				}
				for k := range d {
					waited[k]++
					if who == &d[k] || !d[k].active {
						waited[k] = 0
					}
					require.LessOrEqual(rt, waited[k], int64(n))
				}
				way[who.ID] = append(way[who.ID], who.Granted)
			}
		}
		for i := range f { // all but the last of each may be lost
			arrive(i, d[i].Granted)
			require.Equal(rt, d[i].Granted, f[i].Last)
			require.Equal(rt, d[i].Granted.Since(start)*Quantum-spent[i], f[i].Credit, "sender %d", i)
		}
	})
}
