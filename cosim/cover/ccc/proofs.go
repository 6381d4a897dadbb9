package ccc

import (
	"fmt"

	"github.com/goldwire/goldwire/cosim/cover"
)

// exclude attaches the proofs to the bins of ccc that cannot be hit.
func (c *bins) exclude(p *cover.Plan, contexts, slots int) {
	c.excludeSizes(p, slots)
	if contexts == 1<<16 {
		inRange := func() error {
			for ctx := range 1 << 16 {
				if ctx >= contexts {
					return fmt.Errorf("ctx %d is out of range", ctx)
				}
			}
			return nil
		}
		for k := range ctxKinds {
			p.Exclude(c.noRange.At1(k), "ctx has 16 bits and the block has 65536 contexts", inRange)
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
	p.Exclude(c.both.At2(0, 0), "without room for one MTU cwnd - inflight < MTU, which asks for an ACK", func() error {
		for _, cwnd := range corners32 {
			for _, infl := range []int64{-1 << 31, -1, 0, 1, 4095, 4096, 1<<31 - 1} {
				for mtu := int64(1); mtu < 1<<16; mtu += 97 {
					for _, trigger := range corners32 {
						canSend := infl+mtu <= int64(cwnd)
						ask := int64(cwnd)-infl < mtu || cwnd < trigger
						if !canSend && !ask {
							return fmt.Errorf("cwnd %d, inflight %d, MTU %d, trigger %d", cwnd, infl, mtu, trigger)
						}
					}
				}
			}
		}
		return nil
	})
	for high := range 2 {
		for pend := range 2 {
			p.Exclude(c.quad.At4(0, high, pend, 1), "an ACK is stale only when it is marked", func() error {
				return overAcks(func(a ackCase, action string, _ map[string]bool) error {
					if action == "IGNORE" && !a.mark {
						return fmt.Errorf("%+v", a)
					}
					return nil
				})
			})
		}
	}
	for a, action := range ackActions {
		for f, flag := range ackFlags {
			for _, never := range neverWith[action] {
				if flag == never {
					p.Exclude(c.ackFlag.At2(a, f), "the order of an ACK keeps "+flag+" from "+action, func() error {
						return overAcks(func(x ackCase, got string, flags map[string]bool) error {
							if got == action && flags[flag] {
								return fmt.Errorf("%+v", x)
							}
							return nil
						})
					})
				}
			}
		}
	}
	p.Exclude(c.qa.At2(1, qaNoCause), "a NACK calls quick_adapt with loss = 1, which is a cause", func() error {
		for trigger := range 2 {
			for delay := range 2 {
				if loss := true; !(trigger == 1 || loss || delay == 1) {
					return fmt.Errorf("trigger_qa %d, delay above threshold %d", trigger, delay)
				}
			}
		}
		return nil
	})
}

// excludeSizes attaches the proofs that hold for some numbers of slots and profiles.
func (c *bins) excludeSizes(p *cover.Plan, slots int) {
	inRange := func(bin int, what string, n int) {
		p.Exclude(bin, fmt.Sprintf("%s has 4 bits and the block has 16 of them", what), func() error {
			for v := range 1 << 4 {
				if v >= n {
					return fmt.Errorf("%s %d is out of range", what, v)
				}
			}
			return nil
		})
	}
	if slots == 16 {
		for _, why := range []int{refLoadPdc, refReadPdc, refAck, refBind} {
			inRange(c.refused.At1(why), "pdc", slots)
		}
	}
	if c.profiles == 16 {
		for _, why := range []int{refCfgWriteProfile, refCfgReadProfile, refOpen, refLoadProfile} {
			inRange(c.refused.At1(why), "profile", c.profiles)
		}
		inRange(c.profileRead.At1(16), "profile", c.profiles)
		inRange(c.profileShift.At1(16), "profile", c.profiles)
	}
	oneProfile := func() error {
		for profile := 1; profile < 16; profile++ {
			if profile < c.profiles {
				return fmt.Errorf("profile %d", profile)
			}
		}
		return nil
	}
	if slots == 1 {
		p.Exclude(c.fact.At1(factTwoPDCs), "the block has one slot, and an ACK of every other is refused", func() error {
			for pdc := 1; pdc < 16; pdc++ {
				if pdc < slots {
					return fmt.Errorf("slot %d", pdc)
				}
			}
			return nil
		})
	}
	if c.profiles == 1 {
		for _, f := range []int{factCfgOther, factOtherProfile, factLoadProfile} {
			p.Exclude(c.fact.At1(f), "the block has one profile, and every other is refused", oneProfile)
		}
	}
	const noRTT = 6 // of ackActions
	p.Exclude(c.noSample.At1(noRTT), "an ACK that is judged by the average is not NO_RTT", func() error {
		return overAcks(func(a ackCase, action string, _ map[string]bool) error {
			if !a.sample && a.average && action == "NO_RTT" {
				return fmt.Errorf("%+v", a)
			}
			return nil
		})
	})
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

// overAcks walks an ACK through the order of the contract for every combination
// of those bits and calls f with its action and flags.
func overAcks(f func(a ackCase, action string, flags map[string]bool) error) error {
	for n := range 1 << 17 {
		b := func(i int) bool { return n>>i&1 != 0 }
		a := ackCase{b(0), b(1), b(2), b(3), b(4), b(5), b(6), b(7), b(8),
			b(9), b(10), b(11), b(12), b(13), b(14), b(15), b(16)}
		fl := map[string]bool{}
		if a.pend {
			fl["saved"] = !a.savedBefore
		} else {
			fl["restored"] = a.rc && a.savedBefore
		}
		action := a.walk(fl)
		if err := f(a, action, fl); err != nil {
			return err
		}
	}
	return nil
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
