package launch

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
)

// OwnerEnv is the environment variable that marks the build's programs and the device as ours: it holds the tag of the
// process that started them. A killed process cannot clean up; the next one to start kills what a dead owner left
// running and removes its folders.
const OwnerEnv = "GOLDWIRE_OWNER"

// owner identifies a process: process ids are reused, with another start time, and mean another process in another
// container or after a restart of the machine.
type owner struct {
	pid   int
	start string // in clock ticks since the machine started; "0" where /proc is not there
	where string // the machine's run and the space of process ids
}

func (o owner) String() string { return fmt.Sprintf("%d-%s-%s", o.pid, o.start, o.where) }

var self = sync.OnceValue(func() owner {
	start, _ := startTime(os.Getpid())
	return owner{os.Getpid(), start, here()}
})

// here names the run of this machine and its space of process ids, in 6 hex digits.
var here = sync.OnceValue(func() string {
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	sum := sha256.Sum256([]byte(string(boot) + space))
	return hex.EncodeToString(sum[:3])
})

// parseOwner reads the tag that String writes.
func parseOwner(tag string) (owner, bool) {
	f := strings.Split(tag, "-")
	if len(f) != 3 || f[1] == "" || len(f[2]) != 6 {
		return owner{}, false
	}
	pid, err := strconv.Atoi(f[0])
	return owner{pid, f[1], f[2]}, err == nil && pid > 0
}

// dead reports whether the process is known to be gone. One of another machine or container never is, because its
// process id has no meaning here.
func (o owner) dead() bool {
	if o.where != here() || self().start == "0" {
		return false
	}
	start, ok := startTime(o.pid)
	return !ok || start != o.start
}

// marked returns the environment of a program that ends with us.
func marked(env []string) []string { return append(env, OwnerEnv+"="+self().String()) }

// orphans returns the processes that a dead owner started.
func orphans() []int {
	var out []int
	procs, _ := os.ReadDir("/proc") // without it, only the kernel's parent-death signal can help
	for _, e := range procs {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if err != nil {
			continue // of another user, or gone
		}
		for v := range bytes.SplitSeq(env, []byte{0}) {
			tag, ok := bytes.CutPrefix(v, []byte(OwnerEnv+"="))
			if !ok {
				continue
			}
			if o, ok := parseOwner(string(tag)); ok && o.dead() {
				out = append(out, pid)
			}
		}
	}
	return out
}

// orphanWait is how long ended processes may take to be gone.
const orphanWait = 2 * time.Second

// endOrphans kills what dead owners started and reports whether all of it is gone. A program may start another one
// between the search and the kill, so it searches again.
func endOrphans() bool {
	for end := time.Now().Add(orphanWait); ; time.Sleep(5 * time.Millisecond) {
		left := false
		for _, pid := range orphans() {
			if _, alive := startTime(pid); alive {
				left = true
				_ = syscall.Kill(pid, syscall.SIGKILL) // fails only when it is gone
			}
		}
		if !left || time.Now().After(end) {
			return !left
		}
	}
}

// privatePrefix begins the names of private folders; the owner's tag and a random number follow.
const privatePrefix = "goldwire-"

// swept holds the folders that this process has looked through.
var swept sync.Map

// sweepOnce ends the orphans and removes the private folders of dead owners in a folder, at its first use.
func sweepOnce(base string) {
	if _, done := swept.LoadOrStore(base, true); !done {
		sweep(base)
	}
}

// sweep does the same unconditionally. The names of half-done builds end with the tag.
func sweep(base string) {
	if !endOrphans() {
		return // they may still write: another run removes it
	}
	entries, _ := os.ReadDir(base) // a folder that is not there holds nothing
	for _, e := range entries {
		tag, ok := strings.CutPrefix(e.Name(), privatePrefix)
		if ok {
			tag = tag[:max(strings.LastIndexByte(tag, '-'), 0)]
		} else if _, tag, ok = strings.Cut(e.Name(), halfDone); !ok {
			continue
		}
		if o, ok := parseOwner(tag); ok && e.IsDir() && o.dead() {
			os.RemoveAll(filepath.Join(base, e.Name()))
		}
	}
}

// maxPrivate is how long the path of a folder for private ones may be: a socket address holds 107 bytes.
const maxPrivate = 45

// PrivateDir makes a directory of mode 0700 for sockets. The caller removes it; when it cannot, because it is
// killed, the next process does that makes one.
func PrivateDir() (string, error) {
	base := os.TempDir()
	if len(base) > maxPrivate {
		base = "/tmp"
	}
	dir, err := PrivateDirIn(base)
	if err != nil {
		return "", limited(&wire.Error{Kind: wire.ErrAddress, What: "private directory", Err: err,
			Mend: "set TMPDIR to a directory that can be written"})
	}
	return dir, nil
}

// PrivateBases are the folders in which private ones are made for shared memory, the better first.
func PrivateBases() []string { return []string{"/dev/shm", os.TempDir()} }

// PrivateDirIn makes one in a folder; "" stands for that of temporary files. The folder has the name of this
// process, by which a later one knows whether it is still used.
func PrivateDirIn(base string) (string, error) {
	if base == "" {
		base = os.TempDir()
	}
	sweepOnce(base)
	return os.MkdirTemp(base, privatePrefix+self().String()+"-")
}
