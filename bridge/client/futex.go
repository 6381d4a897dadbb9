package client

import (
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	futexWait = 0
	futexWake = 1
)

// sleepOn waits until another process wakes a word that both map, or for up to limit, unless the low half of the word
// is no longer what was seen.
func sleepOn(word *uint64, seen uint64, limit time.Duration) {
	t := unix.NsecToTimespec(int64(limit))
	_, _, _ = unix.Syscall6(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWait, uintptr(uint32(seen)),
		uintptr(unsafe.Pointer(&t)), 0, 0) // whatever ends it, the caller looks again
}

// wakeOn wakes the process that sleeps on a word.
func wakeOn(word *uint64) {
	_, _, _ = unix.RawSyscall(unix.SYS_FUTEX, uintptr(unsafe.Pointer(word)), futexWake, 1)
}
