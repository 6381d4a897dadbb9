package ccc

import (
	"fmt"
	"slices"

	"github.com/goldwire/goldwire/cosim/cover"
)

// exclude attaches the proofs to the bins of ccc that cannot be hit.
func (c *bins) exclude(p *cover.Plan, contexts, slots int) {
	c.excludeSizes(p, slots)
	if contexts == 1<<16 {
		for k := range ctxKinds {
			p.Exclude(c.noRange.At1(k), "ctx has 16 bits and the block has 65536 contexts",
				cover.None(1<<16, "ctx", func(ctx int) bool { return ctx >= contexts }))
		}
	}
	const send, nack, loss = 3, 5, 6 // of viewKinds
	p.Exclude(c.stateAfter.At2(send, 0), "a SEND leaves at least one packet in flight", func() error {
		return overStates(func(backlog, waiting, pkts uint64) error {
			return stateIsNot("SEND", backlog, waiting, min(pkts+1, top32), "IDLE")
		})
	})
	for k, name := range map[int]string{nack: "NACK", loss: "LOSS"} {
		for st, state := range stateNames[:2] {
			p.Exclude(c.stateAfter.At2(k, st),
				"a "+name+" leaves at least one packet waiting for retransmission", func() error {
					return overStates(func(backlog, waiting, pkts uint64) error {
						return stateIsNot(name, backlog, min(waiting+1, top32), pkts-min(pkts, 1), state)
					})
				})
		}
	}
	p.Exclude(c.both.At2(0, 0), "what holds packets back asks for an ACK: no room, or no credit", func() error {
		for _, cwnd := range corners32 {
			for _, infl := range []int64{-1 << 31, -1, 0, 1, 4095, 4096, 1<<31 - 1} {
				for mtu := int64(1); mtu < 1<<16; mtu += 97 {
					for _, trigger := range corners32 {
						fits, low := infl+mtu <= int64(cwnd), int64(cwnd)-infl < mtu || cwnd < trigger
						for n := range 1 << 3 {
							on, alone, credit := n&1 != 0, n&3 == 3, n&4 != 0
							canSend := (alone || fits) && (!on || credit)
							ask := !alone && low || on && !credit // without what an empty backlog asks for
							if !canSend && !ask {
								return fmt.Errorf("cwnd %d, inflight %d, MTU %d, trigger %d, credit %v of %v, alone %v",
									cwnd, infl, mtu, trigger, credit, on, alone)
							}
						}
					}
				}
			}
		}
		return nil
	})
	for high := range 2 {
		for pend := range 2 {
			p.Exclude(c.quad.At4(0, high, pend, 1), "an ACK is stale only when it is marked",
				noAck(func(a ackCase, action string, _ map[string]bool) bool { return action == "IGNORE" && !a.mark }))
		}
	}
	for a, action := range ackActions {
		for _, flag := range neverWith[action] {
			p.Exclude(c.ackFlag.At2(a, slices.Index(ackFlags, flag)), "the order of an ACK keeps "+flag+" from "+action,
				noAck(func(_ ackCase, got string, flags map[string]bool) bool { return got == action && flags[flag] }))
		}
	}
	p.Exclude(c.qa.At2(1, qaNoCause), "a NACK calls quick_adapt with loss = 1, which is a cause",
		cover.None(4, "trigger_qa and delay above threshold:", func(n int) bool {
			trigger, loss, delay := n&1 != 0, true, n&2 != 0
			return !(trigger || loss || delay)
		}))
}

// excludeSizes attaches the proofs that hold for some numbers of slots and profiles.
func (c *bins) excludeSizes(p *cover.Plan, slots int) {
	inRange := func(what string, n int, bins ...int) {
		for _, bin := range bins {
			p.Exclude(bin, what+" has 4 bits and the block has 16 of them",
				cover.None(1<<4, what, func(v int) bool { return v >= n }))
		}
	}
	if slots == 16 {
		inRange("pdc", slots, c.refused.LoadPdc, c.refused.ReadPdc, c.refused.Ack, c.refused.Bind)
	}
	if c.profiles == 16 {
		inRange("profile", c.profiles, c.refused.CfgWriteProfile, c.refused.CfgReadProfile, c.refused.Open,
			c.refused.LoadProfile, c.profileRead.At1(16), c.profileShift.At1(16))
	}
	if slots == 1 {
		p.Exclude(c.fact.TwoPDCs, "the block has one slot, and an ACK of every other is refused",
			cover.None(16, "slot", func(pdc int) bool { return pdc > 0 && pdc < slots }))
	}
	if c.profiles == 1 {
		for _, bin := range []int{c.fact.CfgOther, c.fact.OtherProfile, c.fact.LoadProfile} {
			p.Exclude(bin, "the block has one profile, and every other is refused",
				cover.None(16, "profile", func(n int) bool { return n > 0 && n < c.profiles }))
		}
	}
	const noRTT = 6 // of ackActions
	p.Exclude(c.noSample.At1(noRTT), "an ACK that is judged by the average is not NO_RTT",
		noAck(func(a ackCase, action string, _ map[string]bool) bool {
			return !a.sample && a.average && action == "NO_RTT"
		}))
}

var corners32 = []uint64{0, 1, 2, 4095, 4096, 4097, 65535, 65536, 1<<31 - 1, 1 << 31, 1<<32 - 1}

// overStates calls f with all corners of what update_state looks at.
func overStates(f func(backlog, waiting, pkts uint64) error) error {
	for _, b := range append([]uint64{top48}, corners32...) {
		for _, w := range corners32 {
			for _, p := range corners32 {
				if err := f(b, w, p); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// stateIsNot is update_state of the contract, for both answers of can_send.
func stateIsNot(kind string, backlog, waiting, pkts uint64, not string) error {
	for _, canSend := range []bool{false, true} {
		state := "ACTIVE"
		switch {
		case backlog == 0 && waiting == 0 && pkts == 0:
			state = "IDLE"
		case backlog == 0 && waiting == 0:
			state = "PENDING"
		case canSend:
			state = "READY"
		}
		if state == not {
			return fmt.Errorf("%s with backlog %d, waiting_rtx %d, inflight_pkts %d after it is %s",
				kind, backlog, waiting, pkts, state)
		}
	}
	return nil
}

// ackCase is all that decides which steps of an ACK run, a bit each.
type ackCase struct {
	mark, high, fast, pend, rc, savedBefore, sample, below       bool
	qaOff, stalePhase, windowOver, qaValid, cause, room, due, by bool
	average                                                      bool // CTRL bit 2
}

// noAck proves that no ACK hits a bin: it walks one through the order of the contract for every combination of those
// bits, with its action and flags.
func noAck(hits func(a ackCase, action string, flags map[string]bool) bool) func() error {
	return func() error {
		for n := range 1 << 17 {
			b := func(i int) bool { return n>>i&1 != 0 }
			a := ackCase{b(0), b(1), b(2), b(3), b(4), b(5), b(6), b(7), b(8), b(9), b(10), b(11), b(12), b(13), b(14), b(15),
				b(16)}
			fl := map[string]bool{"saved": a.pend && !a.savedBefore, "restored": !a.pend && a.rc && a.savedBefore}
			if action := a.walk(fl); hits(a, action, fl) {
				return fmt.Errorf("%+v", a)
			}
		}
		return nil
	}
}

// walk runs steps 8 to 14.
func (a *ackCase) walk(fl map[string]bool) string {
	if !a.sample && !a.average {
		return "NO_RTT"
	}
	fl["base_fell"] = a.sample && a.below
	if !a.qaOff {
		if a.stalePhase && a.mark {
			return "IGNORE"
		}
		if !a.qaValid || a.windowOver {
			fl["qa_window"] = true
			if a.qaValid && a.cause && a.room {
				return "QA"
			}
		}
	}
	fl["fulfilled"] = a.due || a.by
	fl["eta_applied"] = a.due
	switch {
	case a.mark && a.high:
		return "MD"
	case a.mark:
		return "NOOP"
	case a.pend:
		return "RCV_LIMIT"
	case a.high:
		return "FAIR"
	case a.fast:
		return "FAST"
	}
	return "PROP"
}
