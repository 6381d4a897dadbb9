package arith

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/cc/nscc"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Every value of the rules is in the table of formats, and every value of the table is one of the rules, a register, or
// outside of the rules' arithmetic.
func TestValuesAreThoseOfTheTable(t *testing.T) {
	table := ccc.Formats()
	used := map[string]bool{}
	for _, name := range Outside {
		used[name] = true
	}
	for v := range nscc.NumValues {
		name := nscc.Value(v).String()
		f, ok := table.Lookup(name)
		require.True(t, ok, name)
		require.Equal(t, nscc.Value(v) <= nscc.ValInflightPkts, f.Kind == formats.State, name)
		used[name] = true
		// What the rules clamp with a flag is what saturates, at the same ends.
		lo, hi := nscc.Value(v).Limits()
		clamped := !math.IsInf(hi, 1)
		require.Equal(t, clamped, f.Over == formats.Saturate && name != nscc.ValPropInc.String(), name)
		if clamped {
			require.Equal(t, math.Exp2(float64(f.Format.Int))-1, hi, name)
			require.True(t, math.IsInf(lo, -1) || lo == -math.Exp2(float64(f.Format.Int)), name)
		}
	}
	for _, v := range table.Values {
		require.True(t, v.Kind == formats.Register || used[v.Name], "%s: no rule quantises it", v.Name)
	}
	_, err := NewFixed(&formats.Table{Block: "ccc"})
	require.ErrorContains(t, err, "value cwnd is missing")
}

// bitsOf returns every number of a struct as bits, so that NaNs and signs of 0 count.
func bitsOf(x any) (out []uint64) {
	v := reflect.ValueOf(x)
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.Float64:
			out = append(out, math.Float64bits(f.Float()))
		case reflect.Array:
			for k := range f.Len() {
				out = append(out, math.Float64bits(f.Index(k).Float()))
			}
		case reflect.Bool:
			out = append(out, map[bool]uint64{true: 1}[f.Bool()])
		default:
			out = append(out, f.Uint())
		}
	}
	return out
}

// Every number of the generated parameters comes from a register that is set, each at its own value.
func TestFloatParamsLeaveNothingOut(t *testing.T) {
	var regs Registers
	for addr, r := range ccc.RegInfo {
		regs[addr] = uint64(addr+1) & (1<<r.Width - 1)
	}
	regs[ccc.RegCtrl] = 15
	got := reflect.ValueOf(FloatParams(&regs))
	p := Params(Float{}, &regs)
	want := reflect.ValueOf(p)
	for i := range got.NumField() {
		name := got.Type().Field(i).Name
		if name == "Real" {
			continue
		}
		require.Equal(t, want.FieldByName(name).Interface(), got.Field(i).Interface(), name)
		require.False(t, got.Field(i).IsZero(), name)
	}
	require.Equal(t, want.NumField(), got.NumField()+1, "all but Arith")
}

// The text run in float64 and the code written from it give the same bits.
func TestTextIsTheGeneratedFloat(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 3))
		regs := Reset()
		regs[ccc.RegCtrl] = r.Uint64() & 14
		regs[ccc.RegAlpha] += r.Uint64N(1 << 20)
		p, q := Params(Float{}, &regs), FloatParams(&regs)
		q.Real = true
		require.Equal(t, bitsOf(q)[:3], bitsOf(nscc.Params{MTU: p.MTU, InitWnd: p.InitWnd,
			ConfigBaseRTT: p.ConfigBaseRTT})[:3])
		now := float64(int64(1)<<48 - int64(1)<<r.IntN(40))
		s, g := nscc.NewStateOf(&p, now), nscc.NewState(&q, now)
		var a, b nscc.PDC
		acted := map[nscc.Action]bool{}
		for range 2000 {
			now = math.Mod(now+float64(r.IntN(4000)), 1<<48)
			tx := math.Mod(now-float64(128+11500+r.IntN(12000))+1<<48, 1<<48)
			size := float64(1 + r.IntN(4096))
			var x nscc.ResponseOf[float64]
			var y nscc.Response
			switch r.IntN(10) {
			case 0:
				x = s.OnNewData(&p, &nscc.NewDataOf[float64]{Time: now, Bytes: size})
				y = g.OnNewData(&q, &nscc.NewData{Time: now, Bytes: size})
			case 1, 2, 3:
				x = s.OnSend(&p, &nscc.SendOf[float64]{Time: now, Size: size, IsRtx: size > 4000})
				y = g.OnSend(&q, &nscc.Send{Time: now, Size: size, IsRtx: size > 4000})
			case 4:
				reason := nscc.Reason(1 + r.IntN(3))
				x = s.OnNACK(&p, &nscc.NackOf[float64]{Time: now, TxOf: nscc.TxOf[float64]{TxTime: tx}, Reason: reason, Size: size})
				y = g.OnNACK(&q, &nscc.Nack{Time: now, Tx: nscc.Tx{TxTime: tx}, Reason: reason, Size: size})
			default:
				e := nscc.Ack{Time: now, Tx: nscc.Tx{TxTime: tx, RtxCount: uint8(r.IntN(9) / 8)}, Service: 1,
					RcvdBytes: a.LastRcvd + uint32(r.IntN(30)), Marked: r.IntN(3) == 0, AckedPkts: 1,
					Pend: uint8(max(0, r.IntN(1000)-900)), Restore: r.IntN(2) == 0}
				x = s.OnACK(&p, &a, &nscc.AckOf[float64]{Time: e.Time, TxOf: nscc.TxOf[float64]{TxTime: tx, RtxCount: e.RtxCount},
					Service: 1, RcvdBytes: e.RcvdBytes, Marked: e.Marked, AckedPkts: 1, Pend: e.Pend, Restore: e.Restore})
				y = g.OnACK(&q, &b, &e)
			}
			acted[y.Action] = true
			if !reflect.DeepEqual(bitsOf(s), bitsOf(g)) || !reflect.DeepEqual(bitsOf(x), bitsOf(y)) {
				t.Fatalf("seed %d: text %+v, %+v; generated %+v, %+v", seed, s, x, g, y)
			}
		}
		require.GreaterOrEqual(t, len(acted), 7)
	}
}

// Exact numbers against ratios throughout: the whole numbers of 64 bits are a shortcut only.
func TestExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var a Exact
	draw := func() Real {
		x := int64(r.Uint64()) >> r.IntN(64)
		switch r.IntN(5) {
		case 0:
			return a.Of(x, uint8(r.IntN(40)))
		case 1:
			return real(big.NewRat(x, 1+int64(r.IntN(1000))))
		}
		return a.Whole(x)
	}
	check := func(want *big.Rat, got Real) {
		t.Helper()
		require.Zero(t, want.Cmp(a.Rat(got)), "want %v, got %v", want, a.Rat(got))
	}
	for range 30_000 {
		x, y := draw(), draw()
		p, q := a.Rat(x), a.Rat(y)
		check(new(big.Rat).Add(p, q), a.Add(x, y))
		check(new(big.Rat).Sub(p, q), a.Sub(x, y))
		check(new(big.Rat).Mul(p, q), a.Mul(x, y))
		require.Equal(t, p.Cmp(q), a.Cmp(x, y))
		require.Equal(t, p.Sign(), a.Sign(x))
		if q.Sign() != 0 {
			check(new(big.Rat).Quo(p, q), a.Quo(nscc.ValRatio, x, y))
		}
		m := a.Mod(nscc.ValSince, x, a.Whole(1<<48))
		require.GreaterOrEqual(t, a.Sign(m), 0)
		require.Negative(t, a.Cmp(m, a.Whole(1<<48)))
		n := new(big.Rat).Quo(new(big.Rat).Sub(p, a.Rat(m)), new(big.Rat).SetInt64(1<<48))
		require.True(t, n.IsInt())
		f, _ := p.Float64()
		require.Equal(t, f, a.Float(x))
	}
	steps := Exact{Steps: 8}
	x := steps.Quo(nscc.ValRatio, a.Whole(-2000), a.Whole(3001))
	check(big.NewRat(-2000, 3001), steps.Quantise(nscc.ValRatio, x)) // on the way nothing is rounded
	check(big.NewRat(-171, 256), steps.Quantise(nscc.ValAvgDelay, x))
	check(big.NewRat(2, 3), steps.Quantise(nscc.ValAvgDelay, steps.Quo(nscc.ValRatio, a.Whole(2), a.Whole(3))))
	top, clamped := a.Fit(nscc.ValFiCount, a.Whole(1<<32))
	require.True(t, clamped)
	check(big.NewRat(1<<32-1, 1), top)
	_, clamped = a.Fit(nscc.ValFiCount, a.Whole(1<<32-1))
	require.False(t, clamped)
	bottom, clamped := a.Fit(nscc.ValInflight, a.Of(-1<<32-1, 1))
	require.True(t, clamped)
	check(big.NewRat(-1<<31, 1), bottom)
}

// Words survive the way into any arithmetic and back.
func TestWordsRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	num, err := NewFixed(ccc.Formats())
	require.NoError(t, err)
	for range 2000 {
		var w ccc.Words
		for addr := range ccc.NumWords {
			w.SetWord(addr, r.Uint64()>>r.IntN(64)<<r.IntN(64))
		}
		w.Profile, w.LastRcvd, w.Credit, w.LastPull, w.Speculating = 0, 0, 0, 0, false
		s := StateOf(num, &w)
		require.Equal(t, w, WordsOf(num, &s))
		e := StateOf(Exact{}, &w)
		require.Equal(t, w, WordsOf(Exact{}, &e))
		f := StateOf(Float{}, &w)
		require.Equal(t, w, WordsOf(Float{}, &f))
	}
	require.NoError(t, num.Err())
}

// A register reads as the word of the number that it holds.
func TestRegisterWord(t *testing.T) {
	narrow := ccc.Formats()
	require.NoError(t, narrow.Set("EWMA_GAIN", "UQ0.16,floor"))
	require.NoError(t, narrow.Set("ALPHA", "UQ8.10,nearest-even"))
	contract, err := NewFixed(ccc.Formats())
	require.NoError(t, err)
	a, err := NewFixed(narrow)
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		for addr, info := range ccc.RegInfo {
			raw := r.Uint64() & (1<<info.Width - 1)
			require.Equal(t, raw, contract.RegisterWord(addr, raw), info.Name)
			require.Equal(t, raw, Float{}.RegisterWord(addr, raw), info.Name)
			require.Equal(t, raw, Exact{}.RegisterWord(addr, raw), info.Name)
			got := a.RegisterWord(addr, raw)
			x, y := a.Register(addr, raw), contract.Register(addr, got)
			require.Zero(t, a.Cmp(x, y), "%s: the rules see another number than is read", info.Name)
		}
	}
	require.Equal(t, uint64(0x333300), a.RegisterWord(ccc.RegEWMAGain, 0x3333ff))
	require.Equal(t, uint64(0x15d80), a.RegisterWord(ccc.RegAlpha, 89478))
	require.Equal(t, uint64(0x40), a.RegisterWord(ccc.RegAlpha, 0x3f))
	require.Equal(t, uint64(1<<24-1<<6), a.RegisterWord(ccc.RegAlpha, 1<<32-1), "saturated")
	require.NoError(t, a.Err())
}
