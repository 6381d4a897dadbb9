package gen

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/vectors/event/ccc"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// configureCCC puts the register writes in front of the stream: a profile for each distinct set of constants
// that the contexts of the simulation have. It errors when there are more of them than profiles.
func (s *fabricSource) configureCCC(spec settings.Spec, o *Options) error {
	contexts, err := fabric.Contexts(spec)
	if err != nil {
		return err
	}
	s.profiles, s.ofCtx = map[cc.Config]uint8{}, map[[2]int32]uint8{}
	for _, cfg := range contexts {
		key := cfg
		key.NIC, key.CCC = 0, 0
		p, ok := s.profiles[key]
		if !ok {
			p = uint8(len(s.profiles))
			s.profiles[key] = p
			if int(p) >= o.Params["NumProfiles"] {
				continue // counted, for the error
			}
			reg, err := exact.Constants(ContextSI(cfg, o.TickNs))
			if err != nil {
				return err
			}
			for a, v := range RegisterFile(&reg) {
				ev := ccc.Event{Kind: ccc.KindCfgWrite, Profile: p, Addr: uint8(a), Data: v}
				ccc.PackEvent(&ev, s.slot().words[:ccc.EventWords])
			}
		}
		s.ofCtx[[2]int32{cfg.NIC, cfg.CCC}] = p
	}
	if n := len(s.profiles); n > o.Params["NumProfiles"] {
		return fmt.Errorf("its contexts have %d different sets of constants (rate, base RTT), one for each profile, "+
			"but the block has %d profiles; raise NumProfiles", n, o.Params["NumProfiles"])
	}
	return nil
}

func (s *fabricSource) configureTx(tickNs int) {
	shift := uint8(7)
	for tickNs > 1 {
		tickNs >>= 1
		shift--
	}
	ev := txstate.Event{Kind: txstate.KindCfgWrite, TimeShift: shift}
	txstate.PackEvent(&ev, s.slot().words[:txstate.EventWords])
}

// number returns the block's number for a context or connection, given in the
// order of first appearance; false when the block has no room for it.
func (s *fabricSource) number(nic, sub int32) (int, bool) {
	key := int64(nic)<<32 | int64(sub)
	n, ok := s.ids[key]
	if !ok {
		n = len(s.ids)
		s.ids[key] = n
	}
	return n, n < s.limit
}

// tapCCC converts one event of a context.
func (s *fabricSource) tapCCC(t *cc.Event) bool {
	n, ok := s.number(t.NIC, t.CCC)
	if !ok {
		return true
	}
	var ev ccc.Event
	if s.err = CCCEvent(t, uint16(n), s.tickPs, &ev); s.err != nil {
		s.cancel()
		return false
	}
	if ev.Kind == ccc.KindOpen {
		if ev.Profile, ok = s.ofCtx[[2]int32{t.NIC, t.CCC}]; !ok {
			s.err = fmt.Errorf("host %d makes context %d while the simulation runs, and the profiles are written before it begins", t.NIC, t.CCC)
			s.cancel()
			return false
		}
	}
	var sample ccc.Event
	if SampleEvent(t.Time, t.Sample, uint16(n), s.tickPs, &sample) {
		s.putCCC(t, &sample)
	}
	s.putCCC(t, &ev)
	return s.proceed()
}

func (s *fabricSource) putCCC(t *cc.Event, ev *ccc.Event) {
	e := s.slot()
	e.now, e.tx, e.timed = int64(t.Time), int64(t.TxTime), true
	ccc.PackEvent(ev, e.words[:ccc.EventWords])
}

// tapTx converts one event of a connection: a send, a NACK, or each packet that
// an ACK frees. Only the packet that the ACK names has a service time; the ACK of a
// probe or of an ACK request names none.
func (s *fabricSource) tapTx(t *cc.Event) bool {
	switch t.Kind {
	case cc.KindSend, cc.KindAck, cc.KindNack:
	default:
		return true
	}
	n, ok := s.number(t.NIC, t.NICPDC)
	if !ok {
		return true
	}
	ev := txstate.Event{PDC: uint16(n), PSN: t.PSN, Now: ticksOf(t.Time, s.tickPs), IsRtx: t.IsRtx, Retx: t.Retx}
	switch t.Kind {
	case cc.KindSend:
		ev.Kind = txstate.KindSend
	case cc.KindNack:
		ev.Kind = txstate.KindNack
	case cc.KindAck:
		ev.Kind = txstate.KindAck
		named := !t.Probe && !t.Asked
		if named {
			ev.ServiceTime = t.ServiceTime
			s.putTx(&ev, t)
			ev.ServiceTime = 0
		}
		for _, psn := range t.AckedPSNs {
			if !named || psn != t.PSN {
				ev.PSN = psn
				s.putTx(&ev, t)
			}
		}
		return s.proceed()
	}
	s.putTx(&ev, t)
	return s.proceed()
}

func (s *fabricSource) putTx(ev *txstate.Event, t *cc.Event) {
	e := s.slot()
	e.now, e.tx, e.timed = int64(t.Time), int64(t.TxTime), true
	txstate.PackEvent(ev, e.words[:txstate.EventWords])
}
