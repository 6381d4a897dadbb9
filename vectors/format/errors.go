package format

import (
	"errors"
	"fmt"
)

// What can be wrong with a file. Errors of this package wrap one of these, or the error of the io.Reader.
var (
	// ErrNotVectors: the file is something else.
	ErrNotVectors = errors.New("not a vector file")
	// ErrVersion: the file is newer than this package.
	ErrVersion = errors.New("newer version")
	// ErrDamaged: a checksum, count or record is wrong.
	ErrDamaged = errors.New("damaged")
	// ErrTruncated: the file ends before its end mark.
	ErrTruncated = errors.New("truncated")
)

// Damage is the error of a file that is damaged from some place on.
type Damage struct {
	Part   string // "frame 3", "header", "index", "footer", "tail"
	Offset int64  // where the part begins, in bytes
	Sound  uint64 // records before it, all of which can be read
	Err    error  // wraps ErrDamaged or ErrTruncated
}

func (d *Damage) Error() string {
	s := fmt.Sprintf("%s at byte %d: %v; ", d.Part, d.Offset, d.Err)
	if d.Sound == 0 {
		return s + "no record can be read"
	}
	return s + fmt.Sprintf("records 0 to %d before it can be read", d.Sound-1)
}

func (d *Damage) Unwrap() error { return d.Err }

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}
