package client

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// yield lets another thread run on this processor if one waits for it.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// pace chooses how both sides of a session wait for each other. While both are running, a spin ends within a
// microsecond. When others keep the processors busy, each side spins while the other waits for a processor, and a step
// may lose milliseconds; a side that sleeps costs tens of microseconds each time, whatever others do. So when spins
// lose more than sleeps would, the next stretch of steps sleeps, a longer one each time that spins fail again.
type pace struct {
	longest time.Duration // of a spin
	left    int           // steps of this stretch that sleep; 0 while steps spin
	steps   int           // of this stretch
	lost    time.Duration // in them
	sleep   time.Duration // what a step loses that sleeps
	stretch int           // of steps that sleep, the next time
}

const (
	trial        = 2048 // steps after which spinning has proved good
	shortStretch = 1 << 12
	longStretch  = 1 << 17
	firstSleep   = 40 * time.Microsecond
)

func newPace(longest time.Duration) pace {
	if runtime.NumCPU() < 2 { // the peer cannot run while this side spins
		longest = 0
	}
	return pace{longest: longest, sleep: firstSleep, stretch: shortStretch}
}

// spin returns how long a wait spins before it sleeps.
func (p *pace) spin() time.Duration {
	if p.left > 0 {
		return 0
	}
	return p.longest
}

// waited takes how long a step waited, 0 for less than is worth measuring. It reports whether spin has changed.
func (p *pace) waited(d time.Duration) (changed bool) {
	p.steps++
	p.lost += d
	switch {
	case p.longest == 0:
		return false
	case p.left > 0: // asleep
		if p.left--; p.left > 0 {
			return false
		}
		p.sleep = max(p.lost/time.Duration(p.steps), time.Microsecond)
	case p.lost > trial*p.sleep:
		p.left, p.stretch = p.stretch, min(2*p.stretch, longStretch)
	case p.steps < trial:
		return false
	default:
		p.steps, p.lost, p.stretch = 0, 0, shortStretch
		return false
	}
	p.steps, p.lost = 0, 0
	return true
}
