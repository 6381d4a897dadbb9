package nic

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	pg "github.com/goldwire/goldwire/vectors/event/ackgen"
	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	port "github.com/goldwire/goldwire/vectors/event/nic"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

// pair is two NICs, each with a host, whose packets reach the other one after a while, or never.
type pair struct {
	t    *testing.T
	r    *rand.Rand
	far  int // cycles that the way takes, at most
	loss int // percent
	ends [2]end
	met  map[string]int
}

// end is a NIC of a pair with its host.
type end struct {
	*bench
	form  template
	flows []flow
	path  []flight // on their way to this end
	rx    []port.Rx
	cmds  []port.Cmd // that the host has for the NIC
	sizes []int      // payload of the frames that have come, by tag
	left  int        // bytes at tx of the frame that leaves
	gone  []port.Tx  // its beats

	took, packets, answers, unaddressed, answered int
}

// flow is a PDC as its host knows it.
type flow struct {
	rounds   int // times that it is opened yet
	open     bool
	messages int  // that are sent yet before it closes
	busy     bool // a command or a message of it is under way
	taken    bool // it is a message, whose note has come: what ends with done now is this one
	closeAt  int  // cycle; 0: not yet
	next     uint32
	want     int // bytes of all messages
}

type flight struct {
	at    int
	frame []byte
}

const nominal = 40

func newPair(t *testing.T, seed uint64) *pair {
	p := &pair{t: t, r: rand.New(rand.NewPCG(seed, 71)), loss: []int{0, 3, 10}[seed%3], met: map[string]int{}}
	p.far = 1 + p.r.IntN(2000)
	native := seed%2 == 1
	for i := range p.ends {
		e := &p.ends[i]
		e.bench = newBench(t, Spec{Contexts: 2, Receives: 8})
		e.flows = make([]flow, e.m.Spec().Pdcs())
		u := udp
		if native {
			u = 4
		}
		for _, c := range []port.Cmd{
			register(port.TargetSource, ps.RegPayload, uint64(7+p.r.IntN(4))),
			register(port.TargetSource, ps.RegHeader, uint64(u+16+nominal)),
			register(port.TargetSource, ps.RegRto, uint64(2*p.far+3000)),
			register(port.TargetSource, ps.RegTries, 15),
			register(port.TargetDestination, pg.RegNominal, nominal),
			register(port.TargetDestination, pg.RegControl, uint64([]int{2, 6}[seed/2%2])),
			register(port.TargetWindow, pc.RegMTU, uint64(1024+u+16+nominal)),
			register(port.TargetWindow, pc.RegMaxWnd, uint64(3000+p.r.IntN(20000))),
			register(port.TargetWriter, port.RegSpray, uint64([]int{0, 0xFF, 0xFFFF}[seed%3])),
		} {
			e.must(c)
		}
		for c := range e.m.Spec().Contexts {
			tags := p.r.IntN(3)
			from, to := byte(1+i), byte(2-i)
			if v := p.r.IntN(2); v == 0 {
				e.address(c, v4(tags, native, from, to), form(34+4*tags, false, native, uint16(p.r.Uint32())))
			} else {
				e.address(c, v6(min(tags, 2), native, from, to), form(54+4*min(tags, 2), true, native, uint16(p.r.Uint32())))
			}
			e.must(window(pc.KindOpen, c))
		}
		for k := range e.flows {
			e.flows[k] = flow{rounds: 1 + p.r.IntN(2), next: p.r.Uint32()}
		}
		e.notes, e.rsps = nil, nil
	}
	return p
}

// host does what the host of an end has to do for a PDC, if it has nothing else to do.
func (p *pair) host(e *end, k int) {
	f := &e.flows[k]
	switch {
	case f.busy || len(e.cmds) > 0:
	case !f.open && f.rounds > 0:
		f.rounds--
		f.open, f.messages, f.next = true, 1+p.r.IntN(3), f.next+8192+128
		e.cmds = append(e.cmds, source(ps.KindOpen, k, f.next))
	case f.open && f.messages > 0:
		n := 1 + p.r.IntN([]int{1, 300, 40000}[p.r.IntN(3)])
		f.messages--
		f.busy = true
		f.want += n
		e.cmds = append(e.cmds, source(ps.KindMessage, k, uint32(n)))
	case f.open && f.closeAt == 0:
		f.closeAt = e.cycles + 3*p.far + 4000 // when no copy of its packets is under way
	case f.open && e.cycles >= f.closeAt:
		f.busy, f.closeAt = true, 0
		e.cmds = append(e.cmds, source(ps.KindClose, k, 0))
	}
}

// cycle is a cycle of an end; far is the other one.
func (p *pair) cycle(e, far *end) {
	if e.cycles%64 == 0 {
		p.hear(e)
	}
	p.host(e, p.r.IntN(len(e.flows)))
	var rx *port.Rx
	var cmd *port.Cmd
	if len(e.rx) == 0 && len(e.path) > 0 && e.path[0].at <= e.cycles {
		f := e.path[0].frame
		e.path = e.path[1:]
		e.rx = beatsOf(f, uint32(len(e.sizes)))
		e.sizes = append(e.sizes, payload(f))
		e.took++
	}
	if len(e.rx) > 0 && p.r.IntN(8) > 0 {
		rx = &e.rx[0]
	}
	if len(e.cmds) > 0 {
		cmd = &e.cmds[0]
	}
	ctl := takes
	for _, bit := range []uint64{port.InTxReady, port.InIndReady, port.InNoteReady, port.InRspReady} {
		if p.r.IntN(8) == 0 {
			ctl &^= bit
		}
	}
	rxDone, cmdDone := e.cycle(rx, cmd, ctl)
	if rxDone {
		e.rx = e.rx[1:]
	}
	if cmdDone {
		e.cmds = e.cmds[1:]
	}
	if n := len(e.txs); n > 0 && e.txs[n-1].Last {
		frames, firsts := e.bench.packets()
		e.txs = e.txs[:0]
		if firsts[0].Answer {
			e.answers++
		} else {
			e.packets++
		}
		if p.r.IntN(100) < p.loss {
			p.met["lost"]++
			return
		}
		f := frames[0]
		if f[12] == 0x86 && !firsts[0].Answer { // no checksum has to follow
			switch p.r.IntN(20) {
			case 0, 1, 2, 3:
				f[15] |= 0x30 // CE
			case 4:
				f[14] = 0x64 // the DSCP of a trimmed packet
			}
		}
		at := far.cycles + 1 + p.r.IntN(p.far)
		i := len(far.path)
		for i > 0 && far.path[i-1].at > at {
			i--
		}
		far.path = append(far.path[:i], append([]flight{{at, f}}, far.path[i:]...)...)
	}
}

// payload returns the bytes after the PDS header of a request; 0 for other packets.
func payload(f []byte) int {
	at := 12
	for binary.BigEndian.Uint16(f[at:]) == 0x8100 {
		at += 4
	}
	ip, n, p := at+2, 0, 0
	if binary.BigEndian.Uint16(f[at:]) == 0x0800 {
		n, p = int(binary.BigEndian.Uint16(f[ip+2:]))-20, ip+20
	} else {
		n, p = int(binary.BigEndian.Uint16(f[ip+4:])), ip+40
	}
	u := 8
	if f[ip+9] == 253 || f[ip+6] == 253 {
		u = 4
	}
	if f[p+u]>>3 != 13 {
		return 0
	}
	return n - u - 16
}

// Two NICs carry all messages of their hosts to the other one, over a way that delays, reorders, marks and loses
// packets, until both are emptied. Then what has come is what was sent, each byte once, and what the contract's
// "Outside" counts is equal.
func TestMessagesArrive(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(9) {
		p := newPair(t, seed)
		for c := 0; ; c++ {
			require.Less(t, c, 3_000_000, "seed %d: never emptied", seed)
			for i := range p.ends {
				p.cycle(&p.ends[i], &p.ends[1-i])
			}
			if c%1000 == 0 && p.emptied() {
				break
			}
		}
		for i := range p.ends {
			p.check(&p.ends[i], &p.ends[1-i])
		}
		for k, v := range p.met {
			met[k] += v
		}
	}
	for _, name := range []string{"lost", "rtx", "NACKED", "LOST", "DUPLICATE", "rtt", "m", "more than one round", "ar"} {
		require.NotZero(t, met[name], "%s never met in %v", name, met)
	}
}

// emptied reports whether the hosts have nothing to do and nothing is under way.
func (p *pair) emptied() bool {
	for i := range p.ends {
		e := &p.ends[i]
		p.hear(e)
		for k := range e.flows {
			if f := &e.flows[k]; f.open || f.rounds > 0 || f.busy {
				return false
			}
		}
		if len(e.path)+len(e.rx)+len(e.cmds)+len(e.txs) > 0 {
			return false
		}
	}
	for i := range p.ends {
		n := p.ends[i]
		n.idle(2000)
		if len(n.txs) > 0 {
			require.Fail(p.t, "not emptied")
		}
	}
	return true
}

// hear has the host read its notes and responses.
func (p *pair) hear(e *end) {
	for _, r := range e.rsps {
		require.False(p.t, r.Refused || r.Busy || r.Missing, "%+v", r)
	}
	e.rsps = e.rsps[:0]
	for _, n := range e.notes {
		f := &e.flows[n.PDC]
		require.False(p.t, n.Missing, "%+v", n)
		switch n.Kind {
		case port.ActSent, port.ActClosing:
			e.unaddressed--
			if n.IsRtx {
				p.met["rtx"]++
			}
			if n.Ar && !n.Eom && !n.IsRtx {
				p.met["ar"]++
			}
		case port.ActAcked:
			if n.Done && f.taken {
				f.busy, f.taken = false, false
			}
			if n.RTTValid {
				p.met["rtt"]++
			}
			if n.M {
				p.met["m"]++
			}
		case port.ActFreed:
			f.busy, f.open = false, false
		case port.ActStopped:
			require.Fail(p.t, "a PDC stopped", "%+v", n)
		case port.ActMessage:
			f.taken = true
		default:
			p.met[n.Kind.String()]++
		}
	}
	e.notes = e.notes[:0]
}

// check holds what has left and come against the contract, once both ends are emptied.
func (p *pair) check(e, far *end) {
	p.hear(e)
	w := func(addr int) int {
		return int(e.must(words(ps.KindRead, 0, addr, 0)))
	}
	require.Equal(p.t, w(port.WordWritten)+w(port.WordUnaddressed), -e.unaddressed)
	require.Equal(p.t, e.packets, w(port.WordWritten))
	want, came := 0, 0
	for k := range e.flows {
		want += e.flows[k].want
	}
	inds := map[pg.Verdict]int{}
	for _, d := range far.inds {
		inds[pg.Verdict(d.Verdict)]++
		if d.Answered {
			far.answered++
		}
		if d.Verdict == uint8(pg.VerdictAccepted) {
			came += far.sizes[d.Tag]
		}
		if d.Verdict == uint8(pg.VerdictDuplicate) {
			p.met["DUPLICATE"]++
		}
	}
	require.Equal(p.t, want, came)
	require.Equal(p.t, far.answers, far.answered)
	require.Equal(p.t, far.took, int(far.m.Ackparse().Counters()[0]))
	for c := range e.m.Spec().Contexts {
		s := e.m.Ccc().State(c)
		require.True(p.t, s.Valid)
		require.Zero(p.t, s.Backlog+uint64(s.RtxBacklog)+uint64(s.WaitingRtx)+uint64(s.InflightPkts), "%+v", s)
		require.Less(p.t, max(s.Inflight, -s.Inflight), int32(256*port.Slots))
	}
	if inds[pg.VerdictClosed] > len(e.flows) {
		p.met["more than one round"]++
	}
	require.LessOrEqual(p.t, inds[pg.VerdictClosed], inds[pg.VerdictAccepted])
}
