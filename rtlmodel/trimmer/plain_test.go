package trimmer

import (
	"github.com/goldwire/goldwire/rtlmodel/trimmer/frames"
	port "github.com/goldwire/goldwire/vectors/event/trimmer"
)

// step is one line of the decision: if it applies, the walk ends with its cause.
type step struct {
	applies bool
	cause   port.Cause
}

// plainDecide is the list of contract.md, line by line. seen returns byte i, or 0 if the block has not seen it, so that
// each condition can be evaluated independently of those before it.
func plainDecide(reg []uint32, frame []byte, beats int, length, told int) (cause port.Cause, size, l2, h int) {
	a, f := min(len(frame), 256), len(frame)
	if beats > 4 {
		f = length
	}
	seen := func(i int) int {
		if i < a {
			return int(frame[i])
		}
		return 0
	}
	word := func(i int) int { return seen(i)*256 + seen(i+1) }

	steps := []step{{a < 14, port.CauseTruncated}}
	v := 0
	for v < 2 && (word(12+4*v) == 0x8100 || word(12+4*v) == 0x88A8) {
		steps = append(steps, step{a < 18+4*v, port.CauseTruncated})
		v++
	}
	l2 = 14 + 4*v
	kind := word(l2 - 2)
	steps = append(steps, step{kind != 0x0800 && kind != 0x86DD, port.CauseEthertype})
	var plen int
	if kind == 0x0800 {
		hl, tot := 4*(seen(l2)%16), word(l2+2)
		h, plen = l2+hl, tot-hl
		steps = append(steps,
			step{a < l2+20, port.CauseTruncated},
			step{seen(l2)/16 != 4 || seen(l2)%16 < 5, port.CauseHeader},
			step{a < l2+hl, port.CauseTruncated},
			step{tot < hl, port.CauseLength},
			step{f < l2+tot, port.CauseTruncated},
			step{word(l2+6)%0x4000 != 0, port.CauseFragment},
			step{seen(l2+9) != 17, port.CauseProtocol})
	} else {
		h, plen = l2+40, word(l2+4)
		n := seen(l2 + 6)
		steps = append(steps,
			step{a < l2+40, port.CauseTruncated},
			step{seen(l2)/16 != 6, port.CauseHeader},
			step{f < l2+40+plen, port.CauseTruncated},
			step{n == 44, port.CauseFragment},
			step{n == 0 || n == 43 || n == 50 || n == 51 || n == 60 || n == 135, port.CauseExtension},
			step{n != 17, port.CauseProtocol})
	}
	u := seen(h+8) / 8
	b := max(int(reg[port.RegTrimSize]), int(reg[port.RegMinSize]))
	if told > 0 {
		b = min(told, 256)
	}
	size = max(b, h+24)
	steps = append(steps,
		step{plen < 10 || word(h+4) != plen, port.CauseLength},
		step{told == 0 && word(h+2) != int(reg[port.RegUdpPort]), port.CausePort},
		step{u != 2 && u != 3 && u != 13 && u != 14, port.CauseType},
		step{size >= h+plen, port.CauseShort})
	for _, s := range steps {
		if s.applies {
			return s.cause, 0, l2, h
		}
	}
	return port.CauseNone, size, l2, h
}

// plainMarked implements the section "Marking".
func plainMarked(frame []byte) (marked bool, l2 int, v4 bool) {
	a := min(len(frame), 256)
	if a < 14 {
		return
	}
	l2 = 14
	for v := 0; v < 2; v++ {
		if k := int(frame[l2-2])*256 + int(frame[l2-1]); k != 0x8100 && k != 0x88A8 {
			break
		}
		if l2 += 4; a < l2 {
			return
		}
	}
	var ecn byte
	switch k := int(frame[l2-2])*256 + int(frame[l2-1]); k {
	case 0x0800:
		if a < l2+20 || frame[l2]/16 != 4 || frame[l2]%16 < 5 || a < l2+4*int(frame[l2]%16) {
			return
		}
		v4 = true
		ecn = frame[l2+1] % 4
	case 0x86DD:
		if a < l2+40 || frame[l2]/16 != 6 {
			return
		}
		ecn = frame[l2+1] / 16 % 4
	default:
		return
	}
	return ecn == 1 || ecn == 2, l2, v4
}

// plainTrim is the treatment of a frame that arrived in the given number of beats. Checksums are computed modulo
// 65535, where equation 3 of RFC 1624 is a subtraction.
func plainTrim(reg []uint32, frame []byte, beats int, side Side) ([]byte, Result) {
	var r Result
	out := append([]byte(nil), frame...)
	word := func(b []byte, i int) int64 { return int64(b[i])*256 + int64(b[i+1]) }
	put := func(i int, v int64) { out[i], out[i+1] = byte(v/256), byte(v) }
	cause, size, l2, h := port.CauseNone, 0, 0, 0
	if side.Trim {
		cause, size, l2, h = plainDecide(reg, frame, beats, int(side.Len), int(side.TrimSize))
	}
	r.Cause, r.Trimmed = cause, side.Trim && cause == 0
	marked, at, v4 := plainMarked(frame)
	r.Marked = marked && side.CE
	if r.Marked {
		l2 = at
		if v4 {
			out[l2+1] |= 3
		} else {
			out[l2+1] |= 3 << 4
		}
	}
	if r.Trimmed {
		r.Size = size
		out = out[:size]
		dscp := byte(reg[port.RegDscpTrimmed])
		if side.LastHop {
			dscp = byte(reg[port.RegDscpLasthop])
		}
		_, _, v4 = plainMarked(frame)
		if v4 {
			out[l2+1] = dscp<<2 + out[l2+1]%4
			put(l2+2, int64(size-l2))
		} else {
			out[l2] = 6<<4 + dscp>>2
			out[l2+1] = dscp<<6 + out[l2+1]%64
			put(l2+4, int64(size-h))
		}
		put(h+4, int64(size-h))
	}
	if v4 && (r.Trimmed || r.Marked) {
		// HC is the complement of a sum, so HC decreases by what the sum gains; a sum is never 0.
		gain := word(out, l2) - word(frame, l2) + word(out, l2+2) - word(frame, l2+2)
		sum := (65535 - word(frame, l2+10) + gain + 4*65535) % 65535
		if sum == 0 {
			sum = 65535
		}
		put(l2+10, 65535-sum)
	}
	if r.Trimmed && word(frame, h+6) != 0 {
		put(h+6, 0)
		pseudo := append([]byte(nil), frame[l2+8:l2+40]...)
		if v4 {
			pseudo = append([]byte(nil), frame[l2+12:l2+20]...)
		}
		c := frames.Checksum(append(append(pseudo, 0, 17, byte((size-h)/256), byte(size-h)), out[h:]...))
		if c == 0 {
			c = 65535
		}
		put(h+6, int64(c))
	}
	return out, r
}

// plainBlock implements the timing by its recurrences: every count is a number and every list is a slice that only
// grows.
type plainBlock struct {
	t              int // cycles with rst_n high since the reset
	reg            []uint32
	counter        [port.NumWords]uint32
	rx             []port.Rx // accepted
	issued         int
	q, s, avail, w int
	rel            map[int]int
	packet         []port.Rx // beats issued of the current packet
	pending        []plainBeat
	popped         int
	out            []plainBeat
	outAt          []int
	taken          int
	cfg            []port.Cfg
	cfgr           []port.Cfgr
	cfgAt          []int
	cfgrN          int
	present        Result
	lastHop        bool
}

type plainBeat struct {
	tx              port.Tx
	first, retained bool
	res             Result
	lastHop         bool
}

func (b *plainBlock) reset() {
	*b = plainBlock{rel: map[int]int{}}
	for _, r := range port.RegInfo {
		b.reg = append(b.reg, uint32(r.Reset))
	}
}

type plainIn struct {
	rstN, rxValid, cfgValid, txReady, cfgrReady bool
	rx                                          port.Rx
	cfg                                         port.Cfg
}

type plainOut struct {
	rxReady, cfgReady, txValid, cfgrValid bool
	tx                                    port.Tx
	cfgr                                  port.Cfgr
}

func (b *plainBlock) cycle(in plainIn) (o plainOut) {
	if !in.rstN {
		b.reset()
		return o
	}
	t, up := b.t, b.t >= 1
	b.t++
	qc, oc := len(b.cfg)-len(b.cfgr), len(b.cfgr)-b.cfgrN
	o.rxReady, o.cfgReady = up && b.q < 2, up && qc < 2
	if b.taken < len(b.out) && b.outAt[b.taken]+2 <= t {
		o.txValid, o.tx = true, b.out[b.taken].tx
	}
	if b.cfgrN < len(b.cfgr) && b.cfgAt[b.cfgrN]+2 <= t {
		o.cfgrValid, o.cfgr = true, b.cfgr[b.cfgrN]
	}
	accept, take := in.rxValid && o.rxReady, o.txValid && in.txReady
	issue := b.q > 0 && b.s < 16
	pop := b.avail > 0 && b.w < 8
	n := func(x bool) int {
		if x {
			return 1
		}
		return 0
	}
	if issue {
		b.rel[t] = b.issueBeat(b.rx[b.issued])
		b.issued++
	}
	var inc [port.NumWords]uint32
	push := false
	if pop {
		x := b.pending[b.popped]
		b.popped++
		if x.first {
			inc[0] = 1
			if x.res.Cause != 0 {
				inc[x.res.Cause] = 1
			}
			inc[11], inc[12] = uint32(n(x.res.Trimmed && !x.lastHop)), uint32(n(x.res.Trimmed && x.lastHop))
			inc[13] = uint32(n(x.res.Marked))
		}
		if push = x.retained; push {
			b.out, b.outAt = append(b.out, x), append(b.outAt, t)
		}
	}
	if qc > 0 && oc < 8 {
		b.cfgr = append(b.cfgr, b.configure(b.cfg[len(b.cfgr)]))
		b.cfgAt = append(b.cfgAt, t)
	}
	for i := range inc {
		b.counter[i] += inc[i]
	}
	if accept {
		b.rx = append(b.rx, in.rx)
	}
	if in.cfgValid && o.cfgReady {
		b.cfg = append(b.cfg, in.cfg)
	}
	if take {
		b.taken++
	}
	if o.cfgrValid && in.cfgrReady {
		b.cfgrN++
	}
	b.q += n(accept) - n(issue)
	b.s += n(issue) - n(pop)
	b.avail += b.rel[t+1-6] - n(pop)
	b.w += n(push) - n(take)
	return o
}

func (b *plainBlock) configure(e port.Cfg) port.Cfgr {
	r := port.Cfgr{Kind: e.Kind}
	switch {
	case e.Kind == port.KindLoad && e.Addr < 14:
		b.counter[e.Addr] = e.Data
	case e.Kind == port.KindRead && e.Addr < 14:
		r.Data = b.counter[e.Addr]
	case e.Kind == port.KindCfgWrite && e.Addr < 2 && e.Data <= 256:
		b.reg[e.Addr] = e.Data
	case e.Kind == port.KindCfgWrite && e.Addr == 2:
		b.reg[2] = e.Data % 65536
	case e.Kind == port.KindCfgWrite && (e.Addr == 3 || e.Addr == 4):
		b.reg[e.Addr] = e.Data % 64
	case e.Kind == port.KindCfgRead && e.Addr < 5:
		r.Data = b.reg[e.Addr]
	default:
		r.Refused = true
	}
	return r
}

// frameOf returns the valid bytes of a packet's beats; keep marks those of the last beat.
func frameOf(beats []port.Rx) (frame []byte) {
	for i, x := range beats {
		n := 64
		if i == len(beats)-1 && x.Last {
			for n = 0; n < 64 && x.Keep>>n&1 == 1; n++ {
			}
		}
		for k := range n {
			frame = append(frame, byte(x.Data[k/8]>>(8*(k%8))))
		}
	}
	return frame
}

// issueBeat issues a beat and returns the number of beats released.
func (b *plainBlock) issueBeat(x port.Rx) (released int) {
	b.packet = append(b.packet, x)
	i := len(b.packet) - 1
	first := b.packet[0]
	switch {
	case i < 3 && !x.Last:
		released = 0
	case i <= 3:
		released = i + 1
		side := Side{first.Trim, first.LastHop, first.Ce, first.Len, first.TrimSize}
		beats := i + 1
		if !x.Last {
			beats = 5 // or more
		}
		frame, res := plainTrim(b.reg, frameOf(b.packet), beats, side)
		b.present, b.lastHop = res, first.LastHop
		for k, y := range b.packet {
			if (res.Trimmed || res.Marked) && 64*k < len(frame) {
				for j := 64 * k; j < 64*k+64; j++ {
					v := uint64(0)
					if j < len(frame) {
						v = uint64(frame[j])
					} else if !res.Trimmed {
						break
					}
					y.Data[j%64/8] = y.Data[j%64/8]&^(255<<(8*(j%8))) | v<<(8*(j%8))
				}
			}
			if res.Trimmed {
				y.Last = (res.Size+63)/64 == k+1
				y.Keep = 1<<64 - 1
				if y.Last && res.Size%64 != 0 {
					y.Keep = 1<<(res.Size%64) - 1
				}
			}
			b.append(y, k == 0, !res.Trimmed || 64*k < res.Size)
		}
	default:
		released = 1
		b.append(x, false, !b.present.Trimmed)
	}
	if x.Last {
		b.packet = nil
	}
	return released
}

func (b *plainBlock) append(y port.Rx, first, retained bool) {
	b.pending = append(b.pending, plainBeat{
		tx: port.Tx{
			Data: y.Data, Keep: y.Keep, Last: y.Last, Trimmed: b.present.Trimmed, Marked: b.present.Marked,
			Cause: b.present.Cause, Tag: b.packet[0].Tag,
		},
		first: first, retained: retained, res: b.present, lastHop: b.lastHop,
	})
}
