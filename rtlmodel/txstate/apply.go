package txstate

import (
	"github.com/goldwire/goldwire/rtlmodel/fxp"
	port "github.com/goldwire/goldwire/vectors/event/txstate"
)

// Apply executes one event: it changes cfg and st and fills all of rsp. st is the entry of the event's PDC and PSN, or
// nil when the PDC has no table. Source: contract.md.
func Apply(cfg *Config, st *State, ev *port.Event, rsp *port.Response) {
	*rsp = port.Response{Kind: ev.Kind, PDC: ev.PDC, PSN: ev.PSN}
	switch {
	case ev.Kind > port.KindCfgWrite:
		rsp.Refused = true
		return
	case ev.Kind == port.KindCfgWrite:
		cfg.TimeShift = ev.TimeShift & 7
		return
	case st == nil:
		rsp.NoPDC = true
		return
	}

	hit := st.Valid && st.PSN == ev.PSN
	switch ev.Kind {
	case port.KindSend:
		send(st, ev, rsp, hit)
	case port.KindAck, port.KindNack:
		if !hit {
			return
		}
		rsp.Found = true
		rsp.TxTime = st.TxTime
		rsp.RtxCount = st.RtxCount
		rsp.RTT, rsp.RTTValid = sample(cfg, st, ev)
		if ev.Kind == port.KindAck {
			st.Valid = false
		}
	case port.KindLoad:
		*st = State{
			Valid:    ev.LoadValid,
			PSN:      ev.PSN,
			TxTime:   ev.Now,
			RtxCount: min(ev.LoadRtxCount, 2),
		}
		rsp.Found = hit
		rsp.TxTime = st.TxTime
		rsp.RtxCount = st.RtxCount
	case port.KindRead:
		if !st.Valid {
			return
		}
		rsp.Found = true
		rsp.PSN = st.PSN
		rsp.TxTime = st.TxTime
		rsp.RtxCount = st.RtxCount
	}
}

// send stores the packet in the entry. A packet that is already held is a resend, even if is_rtx is 0. A resend of a
// packet that is not held has an unknown history and never gives a sample.
func send(st *State, ev *port.Event, rsp *port.Response, hit bool) {
	var count uint8
	switch {
	case hit:
		rsp.Found = true
		count = min(st.RtxCount+1, 2)
	case ev.IsRtx:
		rsp.UnknownRtx = true
		count = 2
	}
	rsp.Evicted = st.Valid && !hit
	*st = State{Valid: true, PSN: ev.PSN, TxTime: ev.Now, RtxCount: count}
	rsp.TxTime = ev.Now
	rsp.RtxCount = count
}

// sample returns the RTT in ticks and true when the feedback gives a sample, else 0 and false.
func sample(cfg *Config, st *State, ev *port.Event) (uint32, bool) {
	p := cfg.parts(st, ev)
	if !p.ok || !p.usable || p.raw < 1 || p.raw > 1<<31-1 {
		return 0, false
	}
	return uint32(p.raw), true
}

// sampleParts are the values that the contract's section Sample names.
type sampleParts struct {
	service, raw uint64
	ok, usable   bool
}

func (cfg *Config) parts(st *State, ev *port.Event) (p sampleParts) {
	p.usable = true
	if ev.Kind == port.KindAck {
		p.usable = ev.ServiceTime != 0 && ev.ServiceTime != 0xFFFF
		p.service = uint64(ev.ServiceTime) << cfg.TimeShift
	}
	p.raw = fxp.WrapSub(ev.Now, st.TxTime+p.service, port.TimeW)
	p.ok = st.RtxCount == 0 && !ev.Retx || st.RtxCount == 1 && ev.Retx
	return p
}
