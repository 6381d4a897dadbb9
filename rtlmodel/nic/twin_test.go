package nic

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// pressure draws a valid or ready signal, in phases of different density.
type pressure struct{ left, percent int }

func (p *pressure) draw(r *rand.Rand) bool {
	if p.left == 0 {
		p.left = 1 + r.IntN(400)
		p.percent = []int{0, 5, 50, 95, 100, 100, 100}[r.IntN(7)]
	}
	p.left--
	return r.IntN(100) < p.percent
}

// traffic draws what a NIC gets whose packets come back to itself, where some are lost or damaged.
type traffic struct {
	r        *rand.Rand
	spec     Spec
	commands []port.Cmd // that come before drawn ones
	forms    []uint64   // by context
	frames   [][]byte   // that have left
	now      []byte     // of the frame that leaves
	rx       []port.Rx
}

// begin is a reset.
func (d *traffic) begin() {
	r := d.r
	d.frames, d.now, d.rx, d.forms = nil, nil, nil, nil
	d.commands = []port.Cmd{
		register(port.TargetSource, ps.RegPayload, uint64(7+r.IntN(7))),
		register(port.TargetSource, ps.RegRto, uint64([]int{300, 3000}[r.IntN(2)])),
		register(port.TargetWindow, pc.RegMTU, uint64(100+r.IntN(9000))),
		register(port.TargetWindow, pc.RegMaxWnd, uint64(r.IntN(100000))),
		register(port.TargetWriter, port.RegSpray, uint64(r.Uint32())),
		register(port.TargetDestination, pg.RegControl, uint64(r.IntN(8)*2)),
		register(port.TargetDestination, pg.RegPressure, uint64(r.IntN(256))),
	}
	for c := range d.spec.Contexts {
		native, tags := r.IntN(2) == 0, r.IntN(3)
		b, word := v4(tags, native, 1, 1), form(34+4*tags, false, native, uint16(r.Uint32()))
		if r.IntN(2) == 0 {
			b, word = v6(tags, native, 1, 1), form(54+4*tags, true, native, uint16(r.Uint32()))
		}
		d.forms = append(d.forms, word)
		for len(b) < 64 {
			b = append(b, byte(r.Uint32()))
		}
		for i := range 16 {
			w := uint64(b[4*i]) | uint64(b[4*i+1])<<8 | uint64(b[4*i+2])<<16 | uint64(b[4*i+3])<<24
			d.commands = append(d.commands, words(ps.KindLoad, c, i, w))
		}
		if r.IntN(8) > 0 {
			d.commands = append(d.commands, words(ps.KindLoad, c, port.WordSize, word))
		}
		d.commands = append(d.commands, window(pc.KindOpen, c))
	}
	for k := range d.spec.Pdcs() {
		d.commands = append(d.commands, source(ps.KindOpen, k, r.Uint32()))
	}
}

func (d *traffic) command() port.Cmd {
	r := d.r
	if len(d.commands) > 0 {
		c := d.commands[0]
		d.commands = d.commands[1:]
		return c
	}
	pdc := r.IntN(d.spec.Pdcs())
	switch r.IntN(16) {
	case 0:
		return source(ps.KindClose, pdc, 0)
	case 1:
		return source(ps.KindOpen, pdc, r.Uint32())
	case 2: // any
		c := port.Cmd{Target: port.Target(r.IntN(8)), Kind: uint8(r.IntN(16)), Index: uint16(r.IntN(2 * d.spec.Pdcs())),
			Slot: uint8(r.IntN(16)), Profile: uint8(r.IntN(16)), Addr: uint8(r.IntN(64)), PSN: r.Uint32(), Data: r.Uint64()}
		if c.Target == port.TargetSource && c.Kind == uint8(ps.KindCfgWrite) && c.Addr != ps.RegHeader {
			c.Kind++ // the others stay
		}
		return c
	case 3: // its packets begin anew with their paths
		c := r.IntN(d.spec.Contexts)
		return words(ps.KindLoad, c, port.WordSize, d.forms[c])
	case 4: // a word of the writer
		kind := []ps.Kind{ps.KindLoad, ps.KindRead, ps.KindRead, ps.KindCfgRead}[r.IntN(4)]
		return words(kind, r.IntN(d.spec.Contexts+1), []int{16, 17, 18, r.IntN(20)}[r.IntN(4)], r.Uint64())
	case 5, 6: // an entry of txstate; what was read may be loaded
		return port.Cmd{Target: port.TargetTimes, Kind: uint8(3 + r.IntN(3)), Index: uint16(pdc), PSN: r.Uint32() % 200,
			Data: r.Uint64() >> r.IntN(32)}
	case 7:
		return window([]pc.Kind{pc.KindOpen, pc.KindOpen, pc.KindClose}[r.IntN(3)], r.IntN(d.spec.Contexts))
	case 8:
		c := window(pc.KindRead, r.IntN(d.spec.Contexts+1))
		c.Addr = uint8(r.IntN(16))
		return c
	}
	return source(ps.KindMessage, pdc, 1+r.Uint32()%uint32([]int{20, 3000, 60000}[r.IntN(3)]))
}

// beat returns the next beat at rx, nil where there is none.
func (d *traffic) beat() *port.Rx {
	if len(d.rx) == 0 {
		if len(d.frames) == 0 {
			return nil
		}
		i := d.r.IntN(min(3, len(d.frames)))
		f := d.frames[i]
		d.frames = append(d.frames[:i], d.frames[i+1:]...)
		switch d.r.IntN(40) {
		case 0, 1:
			return nil
		case 2:
			f[d.r.IntN(min(100, len(f)))] ^= 1 << d.r.IntN(8)
		}
		d.rx = beatsOf(f, d.r.Uint32())
	}
	x := &d.rx[0]
	d.rx = d.rx[1:]
	return x
}

func (d *traffic) left(x *port.Tx) {
	for i := range bits.OnesCount64(x.Keep) {
		d.now = append(d.now, byte(x.Data[i/8]>>(i%8*8)))
	}
	if x.Last {
		d.frames, d.now = append(d.frames, d.now), nil
	}
}

func (in *plainIn) pack(rec []uint64) {
	clear(rec)
	port.PackRx(&in.rx, rec)
	port.PackCmd(&in.cmd, rec)
	for i, on := range []bool{in.rstN, in.rxValid, in.cmdValid, in.txReady, in.indReady, in.noteReady, in.rspReady} {
		if on {
			rec[0] |= 1 << i
		}
	}
}

func (o *plainOut) pack(rec []uint64) {
	clear(rec)
	if o.txValid {
		port.PackTx(&o.tx, rec)
	}
	if o.indValid {
		port.PackInd(&o.ind, rec)
	}
	if o.noteValid {
		port.PackNote(&o.note, rec)
	}
	if o.rspValid {
		port.PackResponse(&o.rsp, rec)
	}
	for i, on := range []bool{o.rxReady, o.cmdReady, o.txValid, o.indValid, o.noteValid, o.rspValid} {
		if on {
			rec[0] |= 1 << i
		}
	}
}

// TestModelMatchesPlainGlue compares the clocked model with the plain glue, cycle by cycle on packed records, under
// idle and back-pressure patterns and resets in the middle of everything.
func TestModelMatchesPlainGlue(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(16) {
		r := rand.New(rand.NewPCG(seed, 81))
		spec := Spec{Contexts: []int{2, 4}[seed%2], Receives: []int{4, 16, 4096}[seed%3]}
		m, err := New(spec)
		require.NoError(t, err)
		slow := newPlain(spec)
		d := &traffic{r: r, spec: spec}
		var rv, cv, tr, ir, nr, rr pressure
		var in plainIn
		out := plainOut{rxReady: true, cmdReady: true}
		resets := 0
		for c := range 25000 {
			if r.IntN(12000) == 0 || c == 0 {
				resets = 1 + r.IntN(3)
			}
			if in.rstN = resets == 0; !in.rstN {
				resets--
				d.begin()
				in.rxValid, in.cmdValid = false, false
			}
			if !in.rxValid || out.rxReady {
				if in.rxValid = rv.draw(r); in.rxValid {
					x := d.beat()
					if in.rxValid = x != nil; in.rxValid {
						in.rx = *x
					}
				}
			}
			if !in.cmdValid || out.cmdReady {
				if in.cmdValid = cv.draw(r) && (len(d.commands) > 0 || r.IntN(8) == 0); in.cmdValid {
					in.cmd = d.command()
				}
			}
			in.txReady, in.indReady, in.noteReady, in.rspReady = tr.draw(r), ir.draw(r), nr.draw(r), rr.draw(r)

			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			got[port.OutWords-1] = 0xDEAD // Cycle must overwrite every word
			in.pack(rec[:])
			out = slow.cycle(in)
			out.pack(want[:])
			m.Cycle(rec[:], got[:])
			require.Equal(t, want, got, "seed %d cycle %d in %+v\nwant %+v", seed, c, in, out)
			if out.noteValid {
				met[fmt.Sprint("note ", out.note.Kind, " ", out.note.Tx, " ", out.note.Missing)]++
			}
			if out.txValid {
				met[fmt.Sprint("tx ", out.tx.Answer)]++
				if in.txReady {
					d.left(&out.tx)
				}
			}
			if out.rspValid {
				met[fmt.Sprint("rsp ", out.rsp.Target, " ", out.rsp.Refused)]++
			}
		}
		met["unaddressed"] += int(slow.unaddressed)
		for k, v := range slow.met {
			met[k] += v
		}
	}
	for _, name := range []string{
		"note OPENED false false", "note MESSAGE false false", "note SENT true false", "note SENT true true",
		"note ACKED true false", "note ACKED false false", "note NACKED true false", "note LOST false false",
		"note CLOSING false false", "note FREED false false",
		"note STOPPED false false", "tx true", "tx false", "unaddressed", "rsp SOURCE true", "rsp SOURCE false",
		"rsp WINDOW true", "rsp WINDOW false", "rsp TIMES true", "rsp TIMES false", "rsp DESTINATION true",
		"rsp DESTINATION false", "rsp PARSER true", "rsp PARSER false", "rsp WRITER true", "rsp WRITER false",
		"rsp Target(6) true", "act waits", "act waits for a command", "join waits for a command", "order full",
		"settle waits for txpdc", "notes full", "packets full", "feed full", "packet after packet", "answer waits",
		"spray cleared and counted",
	} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// A reset in the middle of traffic leaves nothing: from then on the model does what a new one does.
func TestReset(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 82))
	spec := Spec{Contexts: 2, Receives: 4}
	m, err := New(spec)
	require.NoError(t, err)
	d := &traffic{r: r, spec: spec}
	for round := range 12 {
		fresh, err := New(spec)
		require.NoError(t, err)
		d.begin()
		var in plainIn
		sent := 0
		for range 3000 + r.IntN(4000) {
			in = plainIn{rstN: true, txReady: r.IntN(4) > 0, indReady: r.IntN(4) > 0, noteReady: r.IntN(4) > 0,
				rspReady: r.IntN(4) > 0}
			if m.CmdReady() {
				in.cmdValid, in.cmd = true, d.command()
			}
			if m.RxReady() {
				if x := d.beat(); x != nil {
					in.rxValid, in.rx = true, *x
				}
			}
			var rec [port.InWords]uint64
			var got, want [port.OutWords]uint64
			in.pack(rec[:])
			m.Cycle(rec[:], got[:])
			fresh.Cycle(rec[:], want[:])
			require.Equal(t, want, got, "round %d", round)
			if got[0]&port.OutTxValid != 0 && in.txReady {
				var x port.Tx
				port.UnpackTx(got[:], &x)
				d.left(&x)
				sent++
			}
		}
		require.NotZero(t, sent)
		in.rstN = false
		var rec [port.InWords]uint64
		got := [port.OutWords]uint64{1}
		in.pack(rec[:])
		m.Cycle(rec[:], got[:])
		require.Zero(t, got)
	}
}
