package launch

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Fields of /proc/PID/stat after the program's name.
const (
	statState = 0
	statUser  = 11 // clock ticks
	statKern  = 12
	statStart = 19
)

// clockTick is the unit of times in /proc: 100 a second on every machine that Go runs on.
const clockTick = 10 * time.Millisecond

// procStat returns the fields of a process, or nil when it is gone or there is no /proc. The name of the program,
// in brackets, may hold anything.
func procStat(pid int) []string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) <= statStart {
		return nil
	}
	return fields
}

// startTime returns when a process started, "0" when that cannot be known. ok is false when it is gone, or a zombie,
// which does no work.
func startTime(pid int) (start string, ok bool) {
	f := procStat(pid)
	if f == nil {
		return "0", false
	}
	return f[statStart], f[statState] != "Z" && f[statState] != "X"
}

// Runnable reports whether the process would run if it got a processor, or waits for a disk: it does not sleep
// and is not stopped.
func (p *Process) Runnable() bool {
	f := procStat(p.pid)
	return f != nil && (f[statState] == "R" || f[statState] == "D")
}

// ProcessorTime returns how long the process has run on a processor; 0 when that cannot be known.
func (p *Process) ProcessorTime() time.Duration {
	f := procStat(p.pid)
	if f == nil {
		return 0
	}
	user, _ := strconv.ParseInt(f[statUser], 10, 64)
	kern, _ := strconv.ParseInt(f[statKern], 10, 64)
	return time.Duration(user+kern) * clockTick
}
