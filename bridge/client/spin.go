package client

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// yield lets another thread run on this processor if one waits for it.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// spinPauses returns how many looks with a pause between them fill about d on this machine. With one
// processor there is nothing to spin for: the peer cannot run meanwhile.
func spinPauses(d time.Duration) int {
	if runtime.NumCPU() < 2 || d <= 0 {
		return 1
	}
	const probe = 256
	best := time.Hour
	for range 4 { // the shortest of a few, so that being preempted does not count
		start := time.Now()
		for range probe {
			pause()
		}
		best = min(best, time.Since(start))
	}
	return max(1, int(probe*d/max(best, 1)))
}
