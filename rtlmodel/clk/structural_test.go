package clk

// structural is the stream block as its hardware would be built: registers, a delay line, two FIFOs and a counter per
// key. It is a second implementation of vectors/event/timing.md with which Stream is compared, and it exercises the
// single parts.
type structural struct {
	t       Timing
	in      FIFO[event]
	pipe    Delay[staged]
	out     FIFO[uint32]
	credits Reg[int]
	sweep   Reg[int]
	busy    [64]Reg[int] // cycles until the key is free again
	all     Reg[int]     // the same, for an issue with any key
}

type event struct {
	key   uint32
	class Class
	id    uint32
}

type staged struct {
	full bool
	id   uint32
}

func newStructural(t Timing) *structural {
	s := &structural{t: t}
	s.in.Init(t.InDepth)
	s.out.Init(t.Credits)
	s.pipe.Init(int(t.Latency) - 1) // and one more cycle to enter the response FIFO
	s.reset()
	return s
}

func (s *structural) reset() {
	s.in.Reset()
	s.out.Reset()
	s.pipe.Reset()
	s.credits.Reset(0)
	s.sweep.Reset(s.t.Sweep)
	s.all.Reset(0)
	for i := range s.busy {
		s.busy[i].Reset(0)
	}
}

func (s *structural) cycle(rstN, evValid, rspReady bool, ev event) (ready, valid bool, id uint32) {
	if !rstN {
		s.reset()
		return false, false, 0
	}
	ready = s.sweep.Get() == 0 && !s.in.Full()
	valid = s.out.Len() > 0
	if valid {
		id = *s.out.Front()
	}
	used := s.credits.Get()
	next := used

	for i := range s.busy {
		s.busy[i].Set(max(0, s.busy[i].Get()-1))
	}
	s.all.Set(max(0, s.all.Get()-1))
	if s.in.Len() > 0 && used < s.t.Credits {
		head := s.in.Front()
		free := head.class == Free || head.class == Keyed && s.busy[head.key].Get() == 0 ||
			head.class == Exclusive && s.all.Get() == 0
		if free {
			s.in.Pop()
			s.pipe.In(staged{true, head.id})
			next++
			if head.class == Keyed {
				s.busy[head.key].Set(int(s.t.Stall) - 1)
			}
			s.all.Set(int(s.t.Stall) - 1)
		}
	}
	if o := s.pipe.Out(); o.full {
		*s.out.Push() = o.id
	}
	if ready && evValid {
		*s.in.Push() = ev
	}
	if valid && rspReady {
		s.out.Pop()
		next--
	}
	s.credits.Set(next)
	s.sweep.Set(max(0, s.sweep.Get()-1))

	s.in.Tick()
	s.pipe.Tick()
	s.out.Tick()
	s.credits.Tick()
	s.sweep.Tick()
	s.all.Tick()
	for i := range s.busy {
		s.busy[i].Tick()
	}
	return ready, valid, id
}
