package credit

import (
	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/stim"
)

const numbers = 1<<24 - 1 // mask of a number

// random writes an episode of a few senders, with changes of the registers, and a read-back at the end.
func random(s *script) {
	r := &s.Rand
	n := s.Params["Senders"]
	s.DrawDrive(1, 2, n)
	senders := make([]int, min(n, stim.Pick(r, 1, 2, 3, 8, 40)))
	targets := map[int]uint32{} // by sender
	for i := range senders {
		senders[i] = stim.Pick(r, i%n, r.N(n), n-1-i%n)
		targets[senders[i]] = stim.Pick(r, uint32(r.Corner(24)), -uint32(r.N(400)), uint32(r.Bits(24))) & numbers
	}
	quanta := uint32(63)
	draw := func() {
		switch r.N(3) {
		case 0:
			quanta = stim.Pick(r, 1, 2, 63, 64, 255, uint32(1+r.N(255)))
			s.reg(credit.RegQuanta, quanta|uint32(r.Bits(24))<<8)
		case 1:
			gap := stim.Pick(r, 1, 1<<16-1, 1<<16, 1<<16+1, uint32(1+r.N(1<<13)), uint32(1+r.N(1<<18)))
			if len(senders) <= 3 && r.One(4) {
				gap = uint32(1 + r.N(1<<22))
			}
			s.reg(credit.RegGap, gap|uint32(r.Bits(8))<<24)
		default: // a large window would have pulls without end
			window := stim.Pick(r, 0, 1, quanta, 2*quanta, 2*quanta-1, uint32(r.N(1000)))
			s.reg(credit.RegWindow, window|uint32(r.Bits(16))<<16)
		}
	}
	for range 3 {
		draw()
	}
	for _, k := range senders {
		if !r.One(6) {
			s.event(credit.KindOpen, k, 0, targets[k]|uint32(r.Bits(8))<<24)
		}
	}
	far := stim.Pick(r, 0, 0, 6, 40)
	events := s.Drive.Paced(100+r.N(400), 60)
	for i := 0; i < events && !s.Full(); i++ {
		k := senders[r.N(len(senders))]
		switch r.N(16) {
		case 0, 1, 2, 3, 4, 5, 6:
			up := stim.Pick(r, 0, 1, quanta-1, quanta, quanta+1, 2*quanta, uint32(r.N(300)), uint32(r.N(3)))
			number := targets[k] + up - uint32(stim.Pick(r, 0, 0, 0, 1, r.N(100)))
			if r.N(256) < far {
				up = stim.Pick(r, 1<<23-1, 1<<23, 1<<23+1, uint32(r.Bits(24)), numbers)
				s.event(credit.KindLoad, k, credit.WordTarget, targets[k])
				if number = targets[k] + up; up < 1<<23 { // granted before, or its pulls would have no end
					s.event(credit.KindLoad, k, credit.WordGranted, number)
				} else {
					up = 0 // it does not rise
				}
			}
			targets[k] = (targets[k] + up) & numbers
			s.event(credit.KindTarget, k, r.N(16), number&numbers|uint32(r.Bits(8))<<24)
		case 7, 8, 9:
			s.event(credit.KindWant, k, r.N(16), uint32(r.U64()))
		case 10:
			if r.One(3) {
				s.event(credit.KindClose, k, 0, uint32(r.U64()))
			} else {
				s.event(credit.KindOpen, k, 0, (targets[k]+uint32(r.N(5)))&numbers)
			}
		case 11:
			if r.One(3) { // first granted, then the target, which is never far beyond it
				v := targets[k] + uint32(r.Bits(22))
				s.event(credit.KindLoad, k, credit.WordGranted, v)
				targets[k] = (v + uint32(r.N(300))) & numbers
				s.event(credit.KindLoad, k, credit.WordTarget, targets[k]|uint32(r.Bits(8))<<24)
				break
			}
			near := targets[k] + uint32(stim.Pick(r, 0, 1, r.N(300))) - uint32(stim.Pick(r, 0, 1, r.N(300)))
			s.event(credit.KindLoad, k, credit.WordTarget+r.N(2), near&numbers|uint32(r.Bits(8))<<24)
		case 12:
			s.event(credit.KindLoad, r.N(1<<16), stim.Pick(r, 0, 3, credit.WordEvents+r.N(6), 10+r.N(6)),
				stim.Pick(r, ^uint32(0), -uint32(r.N(70)), uint32(r.U64())))
		case 13:
			s.event(credit.KindRead, stim.Pick(r, k, k, n-1, n, r.N(1<<16)), r.N(credit.NumWords+1), uint32(r.U64()))
		case 14:
			if r.One(2) {
				draw()
			} else {
				s.event(credit.KindCfgWrite, r.N(9), r.N(4), uint32(r.Bits(4))<<stim.Pick(r, 0, 5, 24))
			}
		default:
			kind, to := credit.Kind(r.N(16)), stim.Pick(r, k, n, 1<<16-1)
			addr := r.N(16)
			switch kind { // none of these may put a demand or a window without end
			case credit.KindLoad, credit.KindTarget, credit.KindOpen:
				to = max(to, n)
			case credit.KindCfgWrite:
				addr |= 4
			}
			s.event(kind, to, addr, uint32(r.U64()))
		}
		if r.One(30) {
			s.Gap(r.N(200))
		}
	}
	s.readBack()
	s.AimResets()
}
