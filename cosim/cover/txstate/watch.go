package txstate

import (
	"math"

	"github.com/goldwire/goldwire/cosim/cover"
	"github.com/goldwire/goldwire/cosim/cover/rtt"
	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// maxRows bounds the rows that are followed; larger tables share them, and a row
// that another has taken over counts as unknown.
const maxRows = 1 << 18

// tableRow is a table row as followed.
type tableRow struct {
	psn, key uint32
	known    bool
	valid    bool
	freed    bool
	rtx      uint8
	tx       uint64
}

// watch follows the rows of the tables and sorts txstate events into bins.
type watch struct {
	fact struct {
		Evicted, EvictedRtx, Unknown, Saturated, HitNotRtx, LastPDC, LastRow, FirstRow, PSNTop, PSNZero,
		NextGeneration, FarGeneration, TimeWraps, NackService, Freed, ReadOther, LoadOverHit, LoadRtx3,
		CfgAfter int
	}

	cover.Timing
	cover.Disagreement // responses that are not what was followed
	pdcs, depth        int
	rows               []tableRow
	shift              uint8
	changed            bool

	kind, found, sampled, rtxRetx, load, service, raw, noPDC, refused, sentRtx, cfg cover.Cross

	long cover.Long

	ev  txstate.Event
	rsp txstate.Response
}

func (s *watch) Define(p *cover.Plan, b *event.Block, params map[string]int) {
	s.pdcs, s.depth = params["NumPdcs"], params["Depth"]
	s.rows = make([]tableRow, min(s.pdcs*s.depth, maxRows))
	kinds := cover.Labels("SEND ACK NACK LOAD READ")
	row := cover.Labels("empty other hit")
	s.long.Define(p, "events_of_episode")
	s.kind = p.Add("kind", cover.Labels("SEND ACK NACK LOAD READ CFG_WRITE 6 7"))
	s.found = p.Add("kind_on_row_is_rtx", kinds, row, cover.YesNo)
	s.sampled = p.Add("sample", rtt.Kinds, cover.YesNo)
	s.rtxRetx = p.Add("rtx_count_retx", rtt.Kinds, cover.Numbers(0, 2), cover.YesNo)
	s.load = p.Add("load_valid_rtx_count", cover.YesNo, cover.Numbers(0, 3))
	s.service = p.Add("service_time_shift", rtt.Services, cover.Numbers(0, 7))
	s.raw = p.Add("rtt", rtt.Kinds, rtt.Values)
	s.noPDC = p.Add("pdc_out_of_range", append(kinds[:5:5], "CFG_WRITE"))
	s.refused = p.Add("refused", cover.Labels("6 7"))
	s.sentRtx = p.Add("rtx_count_after_send", cover.Numbers(0, 2))
	s.cfg = p.Add("cfg_time_shift", cover.Numbers(0, 7))
	p.Places("rule", cover.Labels(`evicts_by_new evicts_by_rtx unknown_rtx rtx_count_stays_2 hit_without_is_rtx last_pdc
		last_row first_row psn_2^32-1 psn_0 next_generation far_generation sample_across_time_wrap nack_with_service_time
		ack_after_free read_finds_other_psn load_over_hit load_rtx_count_3 time_shift_changes_between_events`), &s.fact)
	if s.pdcs == 1<<16 {
		for k := range 6 {
			p.Exclude(s.noPDC.At1(k), "pdc has 16 bits and the block has 65536 tables",
				cover.None(1<<16, "pdc", func(pdc int) bool { return pdc >= s.pdcs }))
		}
	}
	s.Timing.Define(p, b, cover.Shape{Sweep: s.pdcs * s.depth, Kinds: append(kinds[:5:5], "refused"),
		Words: txstate.EventWords, Classify: s.classify, Sample: s.Sample, Forget: s.forget})
}

// forget is what rst_n low does to rows and TIME_SHIFT.
func (s *watch) forget() {
	s.shift, s.changed = 7, false
	s.long.Clear()
	// Rows that never were written stay known and empty.
	for i := range s.rows {
		s.rows[i] = tableRow{known: len(s.rows) == s.pdcs*s.depth}
	}
}

// classify sets key, class and kind of an event.
func (s *watch) classify(e *cover.Pending) {
	kind := txstate.Kind(e.Words[0] >> 3 & 7)
	pdc := uint32(e.Words[0] >> 6 & 0xffff)
	psn := uint32(e.Words[0] >> 22)
	e.Key = pdc*uint32(s.depth) + psn&uint32(s.depth-1)
	e.Class, e.Kind = cover.Keyed, min(uint8(kind), 5)
	if kind == txstate.KindCfgWrite {
		e.Class = cover.Exclusive
	}
}

// Sample sorts an event with its response.
func (s *watch) Sample(hits cover.Hits, in, out []uint64) {
	ev, r := &s.ev, &s.rsp
	txstate.UnpackEvent(in, ev)
	txstate.UnpackResponse(out, r)
	s.long.Count(hits)
	hits[s.kind.At1(int(ev.Kind))]++
	if ev.Kind > txstate.KindCfgWrite {
		hits[s.refused.At1(int(ev.Kind)-6)]++
		return
	}
	hits.If(int(ev.PDC) >= s.pdcs, s.noPDC.At1(int(ev.Kind)))
	if ev.Kind == txstate.KindCfgWrite {
		hits[s.cfg.At1(int(ev.TimeShift))]++
		s.changed = s.changed || s.shift != ev.TimeShift
		s.shift = ev.TimeShift
		return
	}
	if r.NoPDC {
		return
	}
	if s.changed && r.RTTValid {
		hits[s.fact.CfgAfter]++
		s.changed = false
	}
	s.place(hits)
	key := uint32(ev.PDC)*uint32(s.depth) + ev.PSN&uint32(s.depth-1)
	row := &s.rows[int(key)%len(s.rows)]
	if row.key != key && len(s.rows) < s.pdcs*s.depth {
		*row = tableRow{key: key}
	}
	s.onRow(hits, row)
}

func (s *watch) place(hits cover.Hits) {
	ev := &s.ev
	hits.If(int(ev.PDC) == s.pdcs-1, s.fact.LastPDC)
	hits.If(ev.PDC == 0 && ev.PSN&uint32(s.depth-1) == 0, s.fact.FirstRow)
	hits.If(int(ev.PDC) == s.pdcs-1 && ev.PSN&uint32(s.depth-1) == uint32(s.depth-1), s.fact.LastRow)
	hits.If(ev.PSN == math.MaxUint32, s.fact.PSNTop)
	hits.If(ev.PSN == 0, s.fact.PSNZero)
}

// onRow sorts an event by what its row holds and follows what it leaves there.
func (s *watch) onRow(hits cover.Hits, row *tableRow) {
	ev, r := &s.ev, &s.rsp
	hit := row.valid && row.psn == ev.PSN
	if row.known {
		if row.valid && !hit {
			next := row.psn-ev.PSN == uint32(s.depth) || ev.PSN-row.psn == uint32(s.depth)
			hits[s.fact.NextGeneration+cover.Bit(!next)]++
		}
		hits[s.found.At3(int(ev.Kind), cover.Bit(row.valid)+cover.Bit(hit), cover.Bit(ev.IsRtx))]++
		s.DisagreeIf(r.Found != (hit || ev.Kind == txstate.KindRead && row.valid))
	}
	switch ev.Kind {
	case txstate.KindSend:
		hits[s.sentRtx.At1(int(r.RtxCount))]++
		hits.If(r.Evicted && !ev.IsRtx, s.fact.Evicted)
		hits.If(r.Evicted && ev.IsRtx, s.fact.EvictedRtx)
		hits.If(r.UnknownRtx, s.fact.Unknown)
		hits.If(hit && row.rtx == 2, s.fact.Saturated)
		hits.If(hit && !ev.IsRtx, s.fact.HitNotRtx)
		*row = tableRow{psn: ev.PSN, key: row.key, known: true, valid: true, rtx: r.RtxCount, tx: r.TxTime}
	case txstate.KindAck:
		hits.If(row.freed && row.psn == ev.PSN && !row.valid, s.fact.Freed)
		if r.Found {
			s.rtt(hits, 0)
			row.valid, row.freed = false, true
		}
	case txstate.KindNack:
		if r.Found {
			s.rtt(hits, 1)
		}
	case txstate.KindLoad:
		hits[s.load.At2(cover.Bit(ev.LoadValid), int(ev.LoadRtxCount)&3)]++
		hits.If(hit, s.fact.LoadOverHit)
		hits.If(ev.LoadRtxCount == 3, s.fact.LoadRtx3)
		*row = tableRow{psn: ev.PSN, key: row.key, known: true, valid: ev.LoadValid, rtx: r.RtxCount, tx: r.TxTime}
	case txstate.KindRead:
		hits.If(r.Found && r.PSN != ev.PSN, s.fact.ReadOther)
		if row.known && row.valid {
			s.DisagreeIf(r.PSN != row.psn || r.TxTime != row.tx || r.RtxCount != row.rtx)
		}
	}
}

// rtt sorts the sample of an ACK (k 0) or a NACK (k 1) that hit.
func (s *watch) rtt(hits cover.Hits, k int) {
	ev, r := &s.ev, &s.rsp
	hits[s.sampled.At2(k, cover.Bit(r.RTTValid))]++
	hits[s.rtxRetx.At3(k, int(min(r.RtxCount, 2)), cover.Bit(ev.Retx))]++
	svc := rtt.Service(ev.ServiceTime)
	service := uint64(0)
	if k == 0 {
		hits[s.service.At2(svc, int(s.shift))]++
		service = uint64(ev.ServiceTime) << s.shift
	} else if ev.ServiceTime != 0 && r.RTTValid {
		hits[s.fact.NackService]++
	}
	if r.RtxCount > 1 || int(r.RtxCount) != cover.Bit(ev.Retx) || k == 0 && (svc == 0 || svc == 4) {
		return
	}
	hits[s.raw.At2(k, rtt.Value((ev.Now-r.TxTime-service)&(1<<48-1)))]++
	hits.If(r.RTTValid && ev.Now < r.TxTime, s.fact.TimeWraps)
}
