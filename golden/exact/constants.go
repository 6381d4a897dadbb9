package exact

import "fmt"

// SI holds an operator's description of a network, in SI units and exact decimals.
type SI struct {
	SenderBps       uint64 // link rate of the source, bits per second
	ReceiverBps     uint64 // link rate of the destination; 0 means the source's
	ConfigBaseRTTPs uint64 // longest unloaded round trip of one MTU, ps
	Trimming        bool   // switches trim instead of dropping
	TargetPs        uint64 // target queueing delay, ps; 0 derives it from Trimming
	MTU             uint16 // largest nominal packet size, bytes
	TickPs          uint64 // unit of time of the registers, ps: 128000 / 2^k, k 0 to 7

	// Gains as decimals or ratios.
	Gamma     string
	MaxMDJump string
	EWMAGain  string
	QAGate    uint8
	// DropThreshold is the tail-drop threshold in Plane_BDP without trimming.
	DropThreshold string
	FastDelayPs   uint64
	AckGenTrigger uint32
	// AvgWithoutSample judges ACKs without an RTT sample by the average delay.
	AvgWithoutSample bool
	// Credit turns on receiver credit, CreditAlone without the window.
	Credit, CreditAlone bool
}

// DefaultSI returns the reference network: 100 Gb/s, 12 us, trimming, an MTU of
// 4096 bytes, ticks of 1 ns.
func DefaultSI() SI {
	return SI{
		SenderBps: 100e9, ConfigBaseRTTPs: 12e6, Trimming: true, MTU: 4096, TickPs: 1000,
		Gamma: "0.8", MaxMDJump: "0.5", EWMAGain: "1/80", QAGate: 3, DropThreshold: "5",
		FastDelayPs: 1e6, AckGenTrigger: 16384,
	}
}

// Never is the value of QA_THRESHOLD without a delay trigger for quick adapt.
const Never = 1<<32 - 1

// Registers holds a NIC's configuration: its registers by address. Times are in ticks, sizes in bytes.
type Registers struct{ Quantised []Quantised }

// Raw returns the word of a register by its name, and panics for a name that no register has.
func (r *Registers) Raw(name string) uint64 {
	for i := range r.Quantised {
		if r.Quantised[i].Name == name {
			return r.Quantised[i].Raw
		}
	}
	panic("exact: no register " + name)
}

// Quantised is a register with the error of its format.
type Quantised struct {
	Name   string
	Format Format
	Raw    uint64
	Exact  string // 24 significant digits, in the register's unit
	Value  Number // all of them
	// RelErr is (raw - exact) / exact; 0 when both are 0.
	RelErr  float64
	Inexact bool
}

// Constants returns the registers for a network, reals rounded to nearest even,
// MAX_WND floored (specification table 3-76). It returns an error that names the field or the register when a value is
// missing, when a tick is not 128 ns / 2^k, or when a constant does not fit its register.
func Constants(si SI) (Registers, error) {
	var g struct{ gamma, jump, ewma, drop Number }
	for _, f := range []struct {
		name string
		text string
		to   *Number
		hi   int64
	}{
		{"gamma", si.Gamma, &g.gamma, 1}, {"max_md_jump", si.MaxMDJump, &g.jump, 1},
		{"ewma gain", si.EWMAGain, &g.ewma, 1}, {"drop threshold", si.DropThreshold, &g.drop, 1000},
	} {
		x, err := Parse(f.text)
		if err != nil {
			return Registers{}, fmt.Errorf("%s: %w", f.name, err)
		}
		if x.Sign() < 0 || Cmp(x, Int(f.hi)) > 0 {
			return Registers{}, fmt.Errorf("%s %s: give 0 to %d", f.name, f.text, f.hi)
		}
		*f.to = x
	}
	shift, err := si.validate()
	if err != nil {
		return Registers{}, err
	}

	tick := Uint(si.TickPs)
	base, mtu := Uint(si.ConfigBaseRTTPs), Uint(uint64(si.MTU))
	target := base
	switch {
	case si.TargetPs > 0:
		target = Uint(si.TargetPs)
	case si.Trimming:
		target = Mul(base, MustParse("0.75"))
	}
	bps := si.SenderBps
	if si.ReceiverBps > 0 {
		bps = min(bps, si.ReceiverBps)
	}
	rate := ratio(Uint(bps), MustParse("8e12")) // bytes per ps
	bdp := Mul(rate, base)
	a := ratio(bdp, Int(150000))
	ticks := func(ps Number) Number { return ratio(ps, tick) }
	// 4 a b MTU / target with b = target / 12 us: the target cancels.
	alpha := Mul(ratio(Mul(Int(4), Mul(mtu, a)), Int(12e6)), tick)
	qa := Uint(Never)
	if !si.Trimming {
		qa = ticks(Mul(Sub(g.drop, Int(1)), base))
	}

	ctrl := uint64(0)
	for bit, on := range [...]bool{1: si.Credit || si.CreditAlone, 2: si.AvgWithoutSample, 3: si.CreditAlone} {
		if on {
			ctrl |= 1 << bit
		}
	}

	var reg Registers
	for _, q := range []struct {
		name string
		x    Number
		f    Format
		r    Rounding
	}{
		{"MTU", mtu, UQ(16, 0), NearestEven},
		{"MAX_WND", Mul(MustParse("1.5"), bdp), UQ(32, 0), Floor},
		{"CONFIG_BASE_RTT", ticks(base), UQ(32, 0), NearestEven},
		{"TARGET_QDELAY", ticks(target), UQ(32, 0), NearestEven},
		{"ALPHA", alpha, UQ(16, 16), NearestEven},
		{"FI", Mul(Int(5), Mul(mtu, a)), UQ(24, 8), NearestEven},
		{"ETA", Mul(MustParse("0.15"), Mul(mtu, a)), UQ(24, 8), NearestEven},
		{"FI_SCALE", Mul(MustParse("0.25"), a), UQ(8, 16), NearestEven},
		{"GAMMA", g.gamma, UQ(0, 16), NearestEven},
		{"MAX_MD_JUMP", g.jump, UQ(0, 16), NearestEven},
		{"QA_GATE", Uint(uint64(si.QAGate)), UQ(8, 0), NearestEven},
		{"QA_THRESHOLD", qa, UQ(32, 0), NearestEven}, // Never with trimming
		{"ADJUST_BYTES", Mul(Int(8), mtu), UQ(32, 0), NearestEven},
		{"ADJUST_PERIOD", ticks(base), UQ(32, 0), NearestEven},
		{"EWMA_GAIN", g.ewma, UQ(0, 24), NearestEven},
		{"FAST_DELAY", ticks(Uint(si.FastDelayPs)), UQ(32, 0), NearestEven},
		{"MWND_RATE", Mul(Mul(MustParse("1.5"), rate), tick), UQ(16, 16), NearestEven}, // of the slower link
		{"ACK_GEN_TRIGGER", Uint(uint64(si.AckGenTrigger)), UQ(32, 0), NearestEven},
		{"TIME_SHIFT", Uint(shift), UQ(3, 0), NearestEven}, // log2(128 ns / tick)
		{"CTRL", Uint(ctrl), UQ(4, 0), NearestEven},
	} {
		w, err := Quantise(q.x, q.f, q.r)
		if err != nil {
			return Registers{}, fmt.Errorf("register %s: %w", q.name, err)
		}
		if w.Saturated {
			return Registers{}, fmt.Errorf(
				"register %s: %s does not fit %v; lower the link rate, the round trip or the gain", q.name, q.x.Text(8), q.f)
		}
		e := Quantised{Name: q.name, Format: q.f, Raw: w.Raw, Exact: q.x.Text(24), Value: q.x,
			Inexact: w.Inexact}
		if q.x.Sign() != 0 {
			e.RelErr = ratio(Sub(UFixed(w.Raw, q.f.Frac), q.x), q.x).Float64()
		}
		reg.Quantised = append(reg.Quantised, e)
	}
	return reg, nil
}

func (si SI) validate() (shift uint64, err error) {
	switch {
	case si.SenderBps == 0:
		return 0, fmt.Errorf("sender link rate is 0: give it in bits per second")
	case si.ConfigBaseRTTPs == 0:
		return 0, fmt.Errorf("config_base_rtt is 0: give it in picoseconds")
	case si.MTU == 0:
		return 0, fmt.Errorf("mtu is 0: give it in bytes")
	}
	for shift = 0; shift <= 7; shift++ {
		if si.TickPs<<shift == 128000 {
			return shift, nil
		}
	}
	return 0, fmt.Errorf("tick is %d ps: give 128000 divided by a power of two from 1 to 128", si.TickPs)
}

// ratio returns x / y for a divisor that is known not to be 0.
func ratio(x, y Number) Number {
	q, err := Quo(x, y)
	if err != nil {
		panic(err)
	}
	return q
}
