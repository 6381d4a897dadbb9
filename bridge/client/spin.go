package client

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// yield lets another thread run on this processor if one waits for it.
func yield() { _, _, _ = unix.RawSyscall(unix.SYS_SCHED_YIELD, 0, 0, 0) }

// oneProcessor means that the peer cannot run while this side spins. A message over the socket wakes it at once.
var oneProcessor = runtime.NumCPU() < 2
