package launch

import (
	"errors"
	"fmt"
	"regexp"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/bridge/wire"
)

// A limit of this user, this shell or this machine, and how to recognise it: in an error of ours, or in what a program
// printed before it gave up.
var limits = []struct {
	errs   []error
	text   *regexp.Regexp
	what   string
	rlimit int
	unit   uint64
	raise  string
}{
	{[]error{syscall.EMFILE, syscall.ENFILE}, regexp.MustCompile(`(?i)too many open files`),
		"too few file descriptors", unix.RLIMIT_NOFILE, 1, "ulimit -n 1024"},
	{[]error{syscall.ENOMEM}, regexp.MustCompile(`(?i)cannot allocate memory|bad_alloc|out of memory|memory exhausted|` +
		`failed to map segment|cannot map zero-fill pages|Killed signal terminated program`),
		"too little memory", unix.RLIMIT_AS, 1024, "ulimit -v unlimited, or free memory of the machine or its container"},
	{[]error{syscall.EAGAIN},
		regexp.MustCompile(`(?i)(fork|clone|pthread_create).*resource temporarily unavailable|cannot fork`),
		"too few processes or threads", unix.RLIMIT_NPROC, 1, "ulimit -u 4096"},
}

// LimitError returns an error of wire.ErrLimit that names the limit at fault, or nil when neither err nor the
// output of a program that failed mentions one.
func LimitError(err error, output string) *wire.Error {
	for _, l := range limits {
		hit := l.text.MatchString(output)
		for _, e := range l.errs {
			hit = hit || errors.Is(err, e)
		}
		if !hit {
			continue
		}
		value := "not limited by ulimit"
		var r unix.Rlimit
		if unix.Getrlimit(l.rlimit, &r) == nil && r.Cur != unix.RLIM_INFINITY {
			value = fmt.Sprintf("the limit is %d", r.Cur/l.unit)
		}
		return &wire.Error{Kind: wire.ErrLimit, What: l.what + ", " + value, Err: err, Mend: "raise it: " + l.raise}
	}
	return nil
}

// limited returns the limit behind an error in place of it, or the error.
func limited(e *wire.Error) error {
	if l := LimitError(e.Err, ""); l != nil {
		l.What = e.What + ": " + l.What
		return l
	}
	return e
}
