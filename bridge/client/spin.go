package client

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// yield lets another thread run on this processor if one waits for it.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// oneProcessor means that the peer cannot run while this side spins. A message over the socket wakes it at once.
var oneProcessor = runtime.NumCPU() < 2

// clockPauses returns how many pauses take some microseconds on this machine.
func clockPauses() int {
	const probe = 256
	best := time.Hour
	for range 4 { // the shortest of a few, so that being preempted does not count
		start := time.Now()
		for range probe {
			pause()
		}
		best = min(best, time.Since(start))
	}
	return max(1, int(probe*4*time.Microsecond/max(best, 1)))
}
