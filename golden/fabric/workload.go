package fabric

import (
	"fmt"
	"math/rand/v2"
)

// flow is one message on a connection. Times are negative until they are known.
type flow struct {
	bytes    int64
	packets  int64
	last     int64 // payload of the last packet
	start    Picos
	doneAt   Picos // last byte at the receiver's application
	ackedAt  Picos // last byte acknowledged at the sender
	sum      uint64
	pdc      int32
	round    int32
	rtx      int32
	startPSN uint32

	delivered, acked int64 // payload bytes
}

// pairs returns the sender and receiver of every context: for each host of the
// pattern, in order of hosts, CCCsPerNIC destinations.
func (s *sim) pairs() [][2]int32 {
	var out [][2]int32
	hosts := int32(len(s.hosts))
	if s.spec.Workload == Incast {
		// The senders are drawn among all hosts but the receiver.
		order := rand.New(s.rngTopo).Perm(int(hosts) - 1)[:s.spec.Incast]
		chosen := make([]bool, hosts)
		for _, h := range order {
			chosen[h+1] = true
		}
		for h := range hosts {
			for i := 0; chosen[h] && i < s.spec.CCCsPerNIC; i++ {
				out = append(out, [2]int32{h, 0})
			}
		}
		return out
	}
	perms := make([][]int, s.spec.CCCsPerNIC)
	for i := range perms {
		perms[i] = derangement(rand.New(s.rngTopo), int(hosts))
	}
	for h := range hosts {
		for _, perm := range perms {
			out = append(out, [2]int32{h, int32(perm[h])})
		}
	}
	return out
}

// derangement returns a permutation of n numbers that leaves none in place, for
// n of 2 or more.
func derangement(r *rand.Rand, n int) []int {
	for {
		p := r.Perm(n)
		ok := true
		for i, v := range p {
			ok = ok && i != v
		}
		if ok {
			return p
		}
	}
}

// buildWorkload creates contexts, connections and their first flows.
func (s *sim) buildWorkload(factory CCFactory) error {
	spec := &s.spec
	pairs := s.pairs()
	n := len(pairs) * spec.PDCsPerCCC
	maxWnd := 3 * int64(s.baseRTT) / (2 * psPerByte(spec.LinkGbps))
	ring := uint32(128)
	for int64(ring)*int64(spec.MTU) < 2*maxWnd {
		ring *= 2
	}
	s.ccc = make([]cccState, len(pairs))
	s.tx = make([]txPDC, n)
	s.rx = make([]rxPDC, n)
	entries := make([]txEntry, n*int(ring))
	words := int(ring / 64)
	marks := make([]uint64, 2*n*words)
	s.flows = make([]flow, 0, n*max(spec.Rounds, 1))
	s.ev.AckedPSNs = make([]uint32, 0, ring)

	for ci, p := range pairs {
		h := &s.hosts[p[0]]
		c := &s.ccc[ci]
		*c = cccState{host: p[0], id: h.cccs, next: -1, npdc: uint8(spec.PDCsPerCCC)}
		h.cccs++
		cc, err := factory(CCConfig{
			NIC: c.host, CCC: c.id, LinkGbps: spec.LinkGbps, BaseRTT: s.baseRTT,
			MTU: spec.MTU, MaxWnd: maxWnd, AckTrigger: spec.AckTrigger, Trim: spec.Trim,
		})
		if err != nil {
			return fmt.Errorf("congestion control of host %d context %d: %w", c.host, c.id, err)
		}
		c.cc = cc
		for j := range spec.PDCsPerCCC {
			ti := ci*spec.PDCsPerCCC + j
			psn := firstPSN(s.rngTopo.Uint64())
			c.pdcs[j] = int32(ti)
			s.tx[ti] = txPDC{
				ring: entries[ti*int(ring):][:ring], mask: ring - 1, una: psn, nxt: psn,
				marked: marks[2*ti*words:][:words],
				ccc:    int32(ci), dst: p[1], nicPDC: h.nicPDCs, flow: -1, index: uint8(j),
				spray: spray{label: uint16(s.rngTopo.Uint64())},
			}
			s.rx[ti] = rxPDC{seen: marks[(2*ti+1)*words:][:words], mask: ring - 1, cum: psn}
			h.nicPDCs++
			at := Picos(0)
			if spec.StartSpread > 0 {
				at = Picos(s.rngTopo.Uint64() % uint64(spec.StartSpread+1))
			}
			s.wheel.push(at, evStart, s.addFlow(int32(ti), 0))
		}
	}
	return nil
}

// firstPSN returns a connection's first PSN from a draw: any, but for every
// fourth connection shortly before the wrap, so that runs of any length cross it.
func firstPSN(draw uint64) uint32 {
	if draw&3 == 0 {
		return -uint32(draw>>2&0xFF) - 1
	}
	return uint32(draw >> 32)
}

// addFlow appends a flow on connection ti and returns its number.
func (s *sim) addFlow(ti, round int32) int32 {
	payload := int64(s.spec.MTU - s.spec.HeaderBytes)
	f := flow{bytes: s.spec.FlowBytes, pdc: ti, round: round, start: -1, doneAt: -1, ackedAt: -1}
	f.packets = (f.bytes + payload - 1) / payload
	f.last = f.bytes - (f.packets-1)*payload
	s.flows = append(s.flows, f)
	return int32(len(s.flows) - 1)
}

// startFlow gives flow fi to its connection, which has none to send.
func (s *sim) startFlow(fi int32) {
	f := &s.flows[fi]
	t := &s.tx[f.pdc]
	c := &s.ccc[t.ccc]
	if !c.opened {
		c.opened = true
		s.clearEvent(KindOpen, t)
		s.step(t.ccc)
	}
	f.start = s.now
	f.startPSN = t.nxt
	t.flow, t.unsent = fi, f.packets
	ev := s.clearEvent(KindNewData, t)
	ev.Size = f.bytes + f.packets*int64(s.spec.HeaderBytes)
	s.step(t.ccc)
	s.queueContext(t.ccc)
	s.kick(c.host)
}

// flowAcked ends the flow of connection ti at its sender and begins the next.
func (s *sim) flowAcked(ti int32) {
	t := &s.tx[ti]
	f := &s.flows[t.flow]
	f.ackedAt = s.now
	s.count.FlowsAcked++
	if s.spec.Rounds == 0 || int(f.round)+1 < s.spec.Rounds {
		s.startFlow(s.addFlow(ti, f.round+1))
	}
}
