package txpdc

import port "github.com/goldwire/goldwire/vectors/event/txpdc"

// judge returns the PDC of a record, nil for a stray.
func (s *plainSource) judge(r port.Rec) *plainPDC {
	if r.Dpdcid == 0 || int(r.Dpdcid) > len(s.pdc) {
		return nil
	}
	p := &s.pdc[r.Dpdcid-1]
	if !p.valid || p.stopped {
		return nil
	}
	switch r.PdsType {
	case 10, 12:
		return p
	case 7, 8, 9:
		if p.syn || int(r.Spdcid) == p.peer {
			return p
		}
	}
	return nil
}

// newly returns the PSNs that an ACK acknowledges, from una on, and whether it is stale.
func (p *plainPDC) newly(r port.Rec) (list []int, stale bool) {
	d := mod(int(r.PSN)+1-p.una, two32)
	if d >= two31 {
		d -= two32
	}
	if p.closing {
		return nil, d != 1
	}
	a := d
	if d < 0 {
		a = 0
	}
	if a > p.n || d < -4096 || p.syn && p.n == 0 {
		return nil, true
	}
	for i := range p.n {
		z := mod(p.una+i-int(r.SackBase), two32)
		covered := i < a || (r.PdsType == 8 || r.PdsType == 9) && z < 64 && r.SackBitmap>>z%2 == 1
		if covered && !p.acked[i] {
			list = append(list, i)
		}
	}
	return list, false
}

// unmarks returns u of a record.
func (s *plainSource) unmarks(r port.Rec) (u int) {
	p := s.judge(r)
	if p == nil || r.PdsType == 10 || r.PdsType == 12 {
		return 0
	}
	list, _ := p.newly(r)
	for _, i := range list {
		if p.marked[i] {
			u++
		}
	}
	return u
}

func (s *plainSource) recorded(r port.Rec, now int) *port.Act {
	p := s.judge(r)
	if p == nil {
		s.add("stray")
		return nil
	}
	k := int(r.Dpdcid) - 1
	defer s.list(k / 4)
	x := &port.Act{PDC: uint16(k), Now: uint64(now)}
	var counter string
	if r.PdsType == 10 || r.PdsType == 12 {
		counter = "nacks"
		if !p.nacked(r, x) {
			counter = "stale"
		}
	} else {
		counter = "acks"
		if !p.ack(r, x) {
			counter = "stale"
		}
	}
	s.add(counter)
	if counter == "stale" {
		return nil
	}
	return x
}

func (p *plainPDC) ack(r port.Rec, x *port.Act) bool {
	n, stale := p.newly(r)
	if stale {
		return false
	}
	if p.closing {
		p.valid = false
		x.Kind = port.ActionFreed
		return true
	}
	x.Kind, x.M, x.Retx, x.Entropy = port.ActionAcked, r.M, r.Retx, r.Entropy
	if p.syn {
		p.syn, p.peer = false, int(r.Spdcid)
	}
	if r.PdsType != 7 {
		p.mpr = int(r.Mpr)
	}
	for _, i := range n {
		if !r.Probe && mod(int(r.AckPSN)-p.una, two32) == i {
			x.Tx, x.PSN = true, r.AckPSN
		}
		if p.marked[i] {
			x.UnmarkPkts++
			x.UnmarkBytes += uint32(p.size[(p.una+i)%128])
		} else {
			x.AckedPkts++
		}
		p.acked[i], p.marked[i] = true, false
		p.tries = 0
	}
	x.RcvdBytes = uint32(p.rcvd)
	if r.PdsType == 8 && r.CcType == 0 {
		x.RcvdBytes, x.ServiceTime, x.Pend, x.RC = r.RcvdBytes, r.ServiceTime, r.Pend, r.RC
		if mod(int(r.RcvdBytes)-p.rcvd, two24) < two24/2 {
			p.rcvd = int(r.RcvdBytes)
		}
	}
	for p.n > 0 && p.acked[0] {
		p.una = mod(p.una+1, two32)
		p.n--
		for _, b := range []*[128]bool{&p.acked, &p.marked, &p.resent} {
			copy(b[:], b[1:])
			b[127] = false
		}
	}
	x.Done = p.n == 0 && p.left == 0
	return true
}

func (p *plainPDC) nacked(r port.Rec, x *port.Act) bool {
	code := int(r.NackCode)
	if p.closing {
		if int(r.PSN) != p.una || code != 14 && code != 15 {
			return false
		}
		p.valid = false
		x.Kind = port.ActionFreed
		return true
	}
	i := mod(int(r.PSN)-p.una, two32)
	if i >= p.n {
		return false
	}
	all := true
	for j := range i {
		all = all && p.acked[j]
	}
	for _, stop := range []int{0x0E, 0x0F, 0x10, 0x11, 0x15, 0x16, 0x17} {
		if code == stop && (code != 0x10 || all) {
			p.stopped = true
			x.Kind, x.Code = port.ActionStopped, r.NackCode
			return true
		}
	}
	if !p.inFlight(i) || p.resent[i] != r.Retx {
		return false
	}
	p.marked[i] = true
	*x = port.Act{Kind: port.ActionNacked, PDC: x.PDC, Now: x.Now, PSN: r.PSN, Size: uint32(p.size[r.PSN%128]), Tx: true,
		Code: r.NackCode, M: r.M, Retx: r.Retx, Entropy: r.Entropy}
	return true
}

func (s *plainSource) timed(now int) *port.Act {
	k := s.scan
	s.scan = (s.scan + 1) % len(s.pdc)
	p := &s.pdc[k]
	defer s.list(k / 4)
	if !p.valid {
		return nil
	}
	x := &port.Act{PDC: uint16(k), Now: uint64(now)}
	if p.stopped {
		if p.n == 0 {
			return nil
		}
		x.Kind, x.Done = port.ActionAcked, p.left == 0
		for i := range p.n {
			switch {
			case p.inFlight(i):
				x.AckedPkts++
			case !p.acked[i]:
				x.UnmarkPkts++
				x.UnmarkBytes += uint32(p.size[(p.una+i)%128])
			}
		}
		p.rcvd = p.sum / 256
		if p.sum%256 > 0 {
			p.rcvd++
		}
		p.rcvd %= two24
		x.RcvdBytes = uint32(p.rcvd)
		p.una, p.n = mod(p.una+p.n, two32), 0
		p.acked, p.marked, p.resent = [128]bool{}, [128]bool{}, [128]bool{}
		return x
	}
	wait := s.rto
	for i := 0; i < p.tries && i < 6; i++ {
		wait *= 2
	}
	stops := func() bool {
		if p.tries >= s.tries {
			p.stopped = true
			x.Kind = port.ActionStopped
			return true
		}
		p.tries = least(p.tries+1, 15)
		return false
	}
	if p.closing {
		if mod(now-p.closedAt, two32) < wait {
			return nil
		}
		if !stops() {
			p.closedAt = mod(now, two32)
			x.Kind, x.PSN, x.Peer, x.IsRtx = port.ActionClosing, uint32(p.una), uint16(p.peer), true
		}
		return x
	}
	for _, resent := range []bool{false, true} {
		for i := range p.n {
			if !p.inFlight(i) || p.resent[i] != resent {
				continue
			}
			psn := mod(p.una+i, two32)
			if mod(now-p.stamp[psn%128], two32) < wait {
				break
			}
			if resent && stops() {
				return x
			}
			p.marked[i] = true
			x.Kind, x.PSN, x.Size = port.ActionLost, uint32(psn), uint32(p.size[psn%128])
			s.add("losses")
			return x
		}
	}
	return nil
}

// retires returns u of the timer's next job.
func (s *plainSource) retires() (u int) {
	for i, p := 0, &s.pdc[s.scan]; p.valid && p.stopped && i < p.n; i++ {
		u += number(p.marked[i] && !p.acked[i])
	}
	return u
}
