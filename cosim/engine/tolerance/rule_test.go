package tolerance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

func n(v uint64) *uint64   { return &v }
func x(v float64) *float64 { return &v }

// What would let any answer pass, or says nothing, is no rule.
func TestRulesRefused(t *testing.T) {
	for name, c := range map[string]struct {
		value string
		given Given
		want  string
	}{
		"unknown field":         {"rsp.cwd", Given{Ignore: true}, "block ccc has no such output field"},
		"unknown word":          {"word.wnd", Given{Ignore: true}, "no such state word"},
		"unknown register":      {"register.BETA", Given{Ignore: true}, "no such register"},
		"no form":               {"cwnd", Given{Ignore: true}, "no such output field"},
		"input":                 {"ev.size", Given{Absolute: n(1)}, "ev is an input"},
		"handshake":             {"rsp_valid", Given{Ignore: true}, "a handshake is always exact"},
		"enum":                  {"rsp.action", Given{Absolute: n(1)}, "a flag or an enum is right or wrong"},
		"flag":                  {"rsp.can_send", Given{Relative: x(.5)}, "a flag or an enum is right or wrong"},
		"enum in a word":        {"word.ccc_state", Given{Absolute: n(1)}, "a flag or an enum is right or wrong"},
		"nothing given":         {"rsp.cwnd", Given{}, "give exact, ignore, {absolute: N}"},
		"two ways":              {"rsp.cwnd", Given{Ignore: true, Absolute: n(1)}, "exclude each other"},
		"flips and bound":       {"rsp.cwnd", Given{Flips: n(1), Relative: x(.1)}, "exclude each other"},
		"two bounds":            {"rsp.avg_delay", Given{LSB: n(1), Format: "UQ32.8", Absolute: n(1)}, "keep one"},
		"no format":             {"rsp.avg_delay", Given{LSB: n(1)}, "give both"},
		"format alone":          {"rsp.avg_delay", Given{Format: "UQ32.8"}, "give exact, ignore"},
		"bad format":            {"rsp.avg_delay", Given{LSB: n(1), Format: "32.8"}, "give UQm.n"},
		"finer than the value":  {"rsp.avg_delay", Given{LSB: n(1), Format: "UQ32.20"}, "is less than one of the value"},
		"absolute 0":            {"rsp.cwnd", Given{Absolute: n(0)}, "absolute: 0 is exact"},
		"lsb 0":                 {"rsp.avg_delay", Given{LSB: n(0), Format: "UQ32.8"}, "lsb: 0 is exact"},
		"as wide as the field":  {"rsp.cwnd", Given{Absolute: n(math.MaxUint32)}, "as wide as the 32 bits"},
		"nearly as wide":        {"rsp.cwnd", Given{Absolute: n(math.MaxUint32 - 1)}, "more than half of all values"},
		"wider":                 {"rsp.cwnd", Given{Absolute: n(1 << 40)}, "as wide as the 32 bits"},
		"as wide, signed":       {"rsp.inflight", Given{Absolute: n(math.MaxUint32)}, "as wide as the 32 bits"},
		"lsb as wide":           {"rsp.avg_delay", Given{LSB: n(1 << 40), Format: "UQ32.8"}, "as wide as the 48 bits"},
		"lsb beyond 64 bits":    {"rsp.avg_delay", Given{LSB: n(math.MaxUint64), Format: "UQ32.0"}, "as wide as the 48 bits"},
		"relative 1":            {"rsp.cwnd", Given{Relative: x(1)}, "takes values from 0 to 2 times"},
		"relative near 1":       {"rsp.cwnd", Given{Relative: x(.999999)}, "give at most 0.4"},
		"relative 0":            {"rsp.cwnd", Given{Relative: x(0)}, "is not more than 0"},
		"relative less than 0":  {"rsp.cwnd", Given{Relative: x(-.1)}, "is not more than 0"},
		"relative infinite":     {"rsp.cwnd", Given{Relative: x(math.Inf(1))}, "give at most 0.4"},
		"relative not a number": {"rsp.cwnd", Given{Relative: x(math.NaN())}, "is not more than 0"},
		"data of words":         {"rsp.data", Given{Absolute: n(4)}, "give each its own"},
		"flips of a number":     {"rsp.cwnd", Given{Flips: n(1)}, "flips is for a decision"},
		"flips of a word":       {"word.ccc_state", Given{Flips: n(1)}, "flips is for a field of the response"},
		"flips 0":               {"rsp.action", Given{Flips: n(0)}, "flips: 0 is exact"},
		"flips of all":          {"rsp.action", Given{Flips: n(10_000)}, "would hide the decision"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Compile(ccc.Schema(), c.value, c.given)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := Compile(txstate.Schema(), "word.psn", Given{Ignore: true})
	require.ErrorContains(t, err, "block txstate lacks one of the fields kind, addr and data of ev and data of rsp")
}

// Bounds hold to the last LSB and not beyond it, in both directions and across the sign.
func TestBounds(t *testing.T) {
	for name, c := range map[string]struct {
		value     string
		given     Given
		want      int64
		within    []int64
		beyond    []int64
		described string
	}{
		"absolute": {"rsp.cwnd", Given{Absolute: n(4)}, 1000, []int64{996, 1000, 1004}, []int64{995, 1005, 0},
			"within 4 bytes"},
		"no wrap": {"rsp.cwnd", Given{Absolute: n(4)}, 1, []int64{0, 5}, []int64{math.MaxUint32, 6}, "within 4 bytes"},
		"signed": {"rsp.inflight", Given{Absolute: n(3)}, -1, []int64{-4, 2}, []int64{-5, 3, math.MaxInt32, math.MinInt32},
			"within 3 bytes"},
		"relative": {"rsp.cwnd", Given{Relative: x(.01)}, 1000, []int64{990, 1010}, []int64{989, 1011},
			"within 0.01 of the value"},
		"relative of 0": {"rsp.cwnd", Given{Relative: x(.01)}, 0, []int64{0}, []int64{1}, "within 0.01 of the value"},
		"relative, signed": {"rsp.inflight", Given{Relative: x(.1)}, -100, []int64{-110, -90}, []int64{-111, -89, 100},
			"within 0.1 of the value"},
		"larger of both": {"rsp.cwnd", Given{Relative: x(.01), Absolute: n(20)}, 1000, []int64{980, 1020}, []int64{979, 1021},
			"within 20 bytes or 0.01 of the value"},
		"lsb": {"rsp.avg_delay", Given{LSB: n(2), Format: "UQ32.8"}, 1 << 20, []int64{1<<20 - 512, 1<<20 + 512},
			[]int64{1<<20 - 513, 1<<20 + 513}, "within 2 LSB of UQ32.8"},
		"lsb of a finer format": {"rsp.avg_delay", Given{LSB: n(6), Format: "UQ32.18"}, 100, []int64{99, 101},
			[]int64{98, 102}, "within 6 LSB of UQ32.18"},
		"word": {"word.inc_bytes", Given{Absolute: n(1)}, 7, []int64{6, 8}, []int64{5, 9}, "within 1 byte*byte"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := Compile(ccc.Schema(), c.value, c.given)
			require.NoError(t, err)
			require.Equal(t, c.described, r.String())
			raw := func(v int64) uint64 { return uint64(v) & ones(r.width) }
			require.True(t, r.within(raw(c.want), raw(c.want)))
			for _, v := range c.within {
				require.True(t, r.within(raw(c.want), raw(v)), v)
			}
			for _, v := range c.beyond {
				require.False(t, r.within(raw(c.want), raw(v)), v)
			}
		})
	}
}

// The judge holds every bit without a rule to the expected one: no rule reaches beyond its value.
func TestOnlyWhatHasARuleIsTolerated(t *testing.T) {
	b := ccc.Schema()
	var rules []Rule
	for name, g := range map[string]Given{"rsp.cwnd": {Absolute: n(4)}, "rsp.delay": {Ignore: true},
		"word.avg_delay": {LSB: n(1), Format: "UQ32.8"}, "word.saved_cwnd": {Ignore: true},
		"register.GAMMA": {LSB: n(1), Format: "UQ0.12"}} {
		r, err := Compile(b, name, g)
		require.NoError(t, err)
		rules = append(rules, r)
	}
	l := event.NewLayout(b)
	rsp, ev := l.Outputs()[0], make([]uint64, l.In.Words)
	look := func(kind, addr uint64, got []uint64) bool {
		j := NewJudge(b, rules)
		j.Access.Kind.Set(ev, kind)
		j.Access.Addr.Set(ev, addr)
		ok, flips := j.Look(&Response{Event: ev, Want: make([]uint64, l.Out.Words), Got: got, Mask: rsp.Mask})
		require.False(t, flips)
		return ok
	}
	a := AccessOf(b)
	for _, kind := range []uint64{a.Read, a.Load, a.ReadConf, a.WriteConf} {
		for addr := range uint64(32) {
			for i := range l.Out.Slots {
				s := &l.Out.Slots[i]
				for bit := range s.Field.Width {
					got := make([]uint64, l.Out.Words)
					got[s.Word] = 1 << (s.Bit + bit)
					may := false
					switch s.Field.Name {
					case "cwnd":
						may = bit <= 2
					case "delay":
						may = true
					case "data":
						may = kind == a.Read && (addr == 10 && bit <= 8 || addr == 2 && bit >= 32) ||
							kind == a.ReadConf && addr == 8 && bit <= 4
					}
					require.Equal(t, may, look(kind, addr, got), "kind %d addr %d %s bit %d", kind, addr, s.Field.Name, bit)
				}
			}
		}
	}
}

// A value under a mask is not compared, and not counted as compared.
func TestMaskedValueIsNotCounted(t *testing.T) {
	b := ccc.Schema()
	r, err := Compile(b, "rsp.cwnd", Given{Absolute: n(4)})
	require.NoError(t, err)
	l := event.NewLayout(b)
	j := NewJudge(b, []Rule{r})
	mask := append([]uint64(nil), l.Outputs()[0].Mask...)
	mask[r.slot.Word] &^= r.mask()
	got := make([]uint64, l.Out.Words)
	r.slot.Set(got, 99)
	rsp := &Response{Want: make([]uint64, l.Out.Words), Got: got, Mask: mask}
	ok, _ := j.Look(rsp)
	require.True(t, ok)
	j.Keep(rsp, Where{})
	require.Zero(t, j.seen[0].compared)
	s := j.Section(false, func([]uint64) string { return "" })
	require.Contains(t, s.Fault, "rsp.cwnd was never compared in this run")
}

// A short run does not have all the flips of 10,000 responses.
func TestFlipsOfShortRuns(t *testing.T) {
	r, err := Compile(ccc.Schema(), "rsp.can_send", Given{Flips: n(1000)})
	require.NoError(t, err)
	for responses, want := range map[uint64]uint64{0: 0, 1: 1, 10: 1, 100: 10, 9_999: 999, 10_000: 1000, 20_000: 2000} {
		require.Equal(t, want, r.Allowed(responses), "%d responses", responses)
	}
	r.Flips = 2
	require.EqualValues(t, 2, r.Allowed(100))
	require.EqualValues(t, 4, r.Allowed(10_001))
}
