package cover

import (
	"fmt"
	"math"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/txstate"
)

// maxRows bounds the rows that are followed; larger tables share them, and a row
// that another has taken over counts as unknown.
const maxRows = 1 << 18

// Single facts of txstate, in the order of txFactNames.
const (
	txEvicted = iota
	txEvictedRtx
	txUnknown
	txSaturated
	txHitNotRtx
	txLastPDC
	txLastRow
	txFirstRow
	txPSNTop
	txPSNZero
	txNextGeneration
	txFarGeneration
	txTimeWraps
	txNackService
	txFreed
	txReadOther
	txLoadOverHit
	txLoadRtx3
	txCfgAfter
)

var txFactNames = words(`evicts_by_new evicts_by_rtx unknown_rtx rtx_count_stays_2 hit_without_is_rtx last_pdc last_row first_row
	psn_2^32-1 psn_0 next_generation far_generation sample_across_time_wrap nack_with_service_time ack_after_free
	read_finds_other_psn load_over_hit load_rtx_count_3 time_shift_changes_between_events`)

// txRow is a table row as followed.
type txRow struct {
	psn, key uint32
	known    bool
	valid    bool
	freed    bool
	rtx      uint8
	tx       uint64
}

// txCoverage is how txstate is covered.
var txCoverage = Block{Schema: txstate.Schema, Watcher: func() Watcher { return &txWatch{} }}

// txWatch follows the rows of the tables and sorts txstate events into bins.
type txWatch struct {
	timing
	disagreement // responses that are not what was followed
	pdcs, depth  int
	rows         []txRow
	shift        uint8
	changed      bool

	kind, found, sampled, rtxRetx, load, service, raw, noPDC, refused, sentRtx, cfg, fact cross

	ev  txstate.Event
	rsp txstate.Response
}

func (s *txWatch) define(p *plan, b *event.Block, params map[string]int) {
	s.pdcs, s.depth = params["NumPdcs"], params["Depth"]
	s.rows = make([]txRow, min(s.pdcs*s.depth, maxRows))
	kinds := words("SEND ACK NACK LOAD READ")
	row := words("empty other hit")
	s.kind = p.add("kind", words("SEND ACK NACK LOAD READ CFG_WRITE 6 7"))
	s.found = p.add("kind_on_row_is_rtx", kinds, row, yesNo)
	s.sampled = p.add("sample", rttKinds, yesNo)
	s.rtxRetx = p.add("rtx_count_retx", rttKinds, numbers(0, 2), yesNo)
	s.load = p.add("load_valid_rtx_count", yesNo, numbers(0, 3))
	s.service = p.add("service_time_shift", svcNames, numbers(0, 7))
	s.raw = p.add("rtt", rttKinds, rawNames)
	s.noPDC = p.add("pdc_out_of_range", append(kinds[:5:5], "CFG_WRITE"))
	s.refused = p.add("refused", words("6 7"))
	s.sentRtx = p.add("rtx_count_after_send", numbers(0, 2))
	s.cfg = p.add("cfg_time_shift", numbers(0, 7))
	s.fact = p.add("rule", txFactNames)
	if s.pdcs == 1<<16 {
		pr := &Proof{"pdc has 16 bits and the block has 65536 tables", func() error {
			for pdc := range 1 << 16 {
				if pdc >= s.pdcs {
					return fmt.Errorf("pdc %d is out of range", pdc)
				}
			}
			return nil
		}}
		for k := range 6 {
			p.exclude(s.noPDC.at1(k), pr)
		}
	}
	s.forget()
	s.timing.define(p, b, shape{sweep: s.pdcs * s.depth, kinds: append(kinds[:5:5], "refused"), words: txstate.EventWords})
}

func (s *txWatch) cycle(hits, in, out []uint64) {
	if e := s.timing.accept(in, out); e != nil {
		s.classify(e)
	}
	if e := s.timing.cycle(hits, in, out); e != nil {
		s.sample(hits, e.words[:txstate.EventWords], out)
	}
}

func (s *txWatch) reset(hits, in []uint64) {
	s.timing.reset(hits, in)
	s.forget()
}

// forget is what rst_n low does to rows and TIME_SHIFT.
func (s *txWatch) forget() {
	s.shift, s.changed = 7, false
	// Rows that never were written stay known and empty.
	for i := range s.rows {
		s.rows[i] = txRow{known: len(s.rows) == s.pdcs*s.depth}
	}
}

// classify sets key, class and kind of an event.
func (s *txWatch) classify(e *pending) {
	kind := txstate.Kind(e.words[0] >> 3 & 7)
	pdc := uint32(e.words[0] >> 6 & 0xffff)
	psn := uint32(e.words[0] >> 22)
	e.key = pdc*uint32(s.depth) + psn&uint32(s.depth-1)
	e.class, e.kind = keyed, min(uint8(kind), 5)
	if kind == txstate.KindCfgWrite {
		e.class = exclusive
	}
}

// sample sorts an event with its response.
func (s *txWatch) sample(hits []uint64, in, out []uint64) {
	ev, r := &s.ev, &s.rsp
	txstate.UnpackEvent(in, ev)
	txstate.UnpackResponse(out, r)
	hits[s.kind.at1(int(ev.Kind))]++
	if ev.Kind > txstate.KindCfgWrite {
		hits[s.refused.at1(int(ev.Kind)-6)]++
		return
	}
	if int(ev.PDC) >= s.pdcs {
		hits[s.noPDC.at1(int(ev.Kind))]++
	}
	if ev.Kind == txstate.KindCfgWrite {
		hits[s.cfg.at1(int(ev.TimeShift))]++
		s.changed = s.changed || s.shift != ev.TimeShift
		s.shift = ev.TimeShift
		return
	}
	if r.NoPDC {
		return
	}
	if s.changed && r.RTTValid {
		hits[s.fact.at1(txCfgAfter)]++
		s.changed = false
	}
	s.place(hits)
	key := uint32(ev.PDC)*uint32(s.depth) + ev.PSN&uint32(s.depth-1)
	row := &s.rows[int(key)%len(s.rows)]
	if row.key != key && len(s.rows) < s.pdcs*s.depth {
		*row = txRow{key: key}
	}
	s.onRow(hits, row)
}

// place sorts PDC and PSN.
func (s *txWatch) place(hits []uint64) {
	ev := &s.ev
	f := func(fact int, on bool) {
		if on {
			hits[s.fact.at1(fact)]++
		}
	}
	f(txLastPDC, int(ev.PDC) == s.pdcs-1)
	f(txFirstRow, ev.PDC == 0 && ev.PSN&uint32(s.depth-1) == 0)
	f(txLastRow, int(ev.PDC) == s.pdcs-1 && ev.PSN&uint32(s.depth-1) == uint32(s.depth-1))
	f(txPSNTop, ev.PSN == math.MaxUint32)
	f(txPSNZero, ev.PSN == 0)
}

// onRow sorts an event by what its row holds and follows what it leaves there.
func (s *txWatch) onRow(hits []uint64, row *txRow) {
	ev, r := &s.ev, &s.rsp
	fact := func(n int, on bool) {
		if on {
			hits[s.fact.at1(n)]++
		}
	}
	hit := row.valid && row.psn == ev.PSN
	if row.known {
		which := 0
		if hit {
			which = 2
		} else if row.valid {
			which = 1
			switch row.psn - ev.PSN {
			case uint32(s.depth), -uint32(s.depth):
				hits[s.fact.at1(txNextGeneration)]++
			default:
				hits[s.fact.at1(txFarGeneration)]++
			}
		}
		hits[s.found.at3(int(ev.Kind), which, b2i(ev.IsRtx))]++
		want := hit
		if ev.Kind == txstate.KindRead {
			want = row.valid
		}
		s.disagreeIf(r.Found != want)
	}
	switch ev.Kind {
	case txstate.KindSend:
		hits[s.sentRtx.at1(int(r.RtxCount))]++
		fact(txEvicted, r.Evicted && !ev.IsRtx)
		fact(txEvictedRtx, r.Evicted && ev.IsRtx)
		fact(txUnknown, r.UnknownRtx)
		fact(txSaturated, hit && row.rtx == 2)
		fact(txHitNotRtx, hit && !ev.IsRtx)
		*row = txRow{psn: ev.PSN, key: row.key, known: true, valid: true, rtx: r.RtxCount, tx: r.TxTime}
	case txstate.KindAck:
		fact(txFreed, row.freed && row.psn == ev.PSN && !row.valid)
		if r.Found {
			s.rtt(hits, 0)
			row.valid, row.freed = false, true
		}
	case txstate.KindNack:
		if r.Found {
			s.rtt(hits, 1)
		}
	case txstate.KindLoad:
		hits[s.load.at2(b2i(ev.LoadValid), int(ev.LoadRtxCount)&3)]++
		fact(txLoadOverHit, hit)
		fact(txLoadRtx3, ev.LoadRtxCount == 3)
		*row = txRow{psn: ev.PSN, key: row.key, known: true, valid: ev.LoadValid, rtx: r.RtxCount, tx: r.TxTime}
	case txstate.KindRead:
		fact(txReadOther, r.Found && r.PSN != ev.PSN)
		if row.known && row.valid {
			s.disagreeIf(r.PSN != row.psn || r.TxTime != row.tx || r.RtxCount != row.rtx)
		}
	}
}

// rtt sorts the sample of an ACK (k 0) or a NACK (k 1) that hit.
func (s *txWatch) rtt(hits []uint64, k int) {
	ev, r := &s.ev, &s.rsp
	hits[s.sampled.at2(k, b2i(r.RTTValid))]++
	hits[s.rtxRetx.at3(k, int(min(r.RtxCount, 2)), b2i(ev.Retx))]++
	svc := svcClass(ev.ServiceTime)
	service := uint64(0)
	if k == 0 {
		hits[s.service.at2(svc, int(s.shift))]++
		service = uint64(ev.ServiceTime) << s.shift
	} else if ev.ServiceTime != 0 && r.RTTValid {
		hits[s.fact.at1(txNackService)]++
	}
	if r.RtxCount > 1 || int(r.RtxCount) != b2i(ev.Retx) || k == 0 && (svc == 0 || svc == 4) {
		return
	}
	hits[s.raw.at2(k, rawClass((ev.Now-r.TxTime-service)&(1<<48-1)))]++
	if r.RTTValid && ev.Now < r.TxTime {
		hits[s.fact.at1(txTimeWraps)]++
	}
}
