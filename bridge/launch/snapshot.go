package launch

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// state is a file at one moment. The zero value is a file that is not there, or a folder.
type state struct {
	Sum      string // of the content, sha256 in hex digits
	dev, ino uint64
	changed  time.Time // of its inode, which no program can set
}

// look returns the state of a file. It errors when the file is there and cannot be read.
func look(path string) (state, error) {
	f, err := os.Open(path)
	if err != nil {
		if isGone(err) {
			return state{}, nil
		}
		return state{}, err
	}
	defer f.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return state{}, &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		return state{}, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return state{}, err
	}
	return state{hex.EncodeToString(h.Sum(nil)), uint64(st.Dev), st.Ino, time.Unix(st.Ctim.Unix())}, nil
}

func isGone(err error) bool {
	for _, e := range []error{syscall.ENOENT, syscall.ENOTDIR, syscall.ENAMETOOLONG, syscall.ELOOP} {
		if pe, ok := err.(*fs.PathError); ok && pe.Err == e {
			return true
		}
	}
	return false
}

// snapshot is the state of files at about the same moment.
type snapshot map[string]state

// take adds the files that are not in the snapshot yet.
func (s snapshot) take(files ...string) error {
	for _, f := range files {
		if _, ok := s[f]; ok {
			continue
		}
		st, err := look(f)
		if err != nil {
			return err
		}
		s[f] = st
	}
	return nil
}

// clockSlack is how much the clock that stamps files may be behind ours.
const clockSlack = 50 * time.Millisecond

// unsettled returns the files, sorted, that may have differed at some time between before and after from their state in
// after. A file in before must be the same file with the same content, untouched. One that only turned out to be read
// must be untouched since start and belong to the tools: for any other, a whole folder may have been moved into place,
// which leaves no trace in the file.
func unsettled(before, after snapshot, start time.Time, tool func(path string) bool) []string {
	var out []string
	for f, now := range after {
		was, known := before[f]
		switch {
		case known && was == now:
		case !known && now.Sum != "" && tool(f) && now.changed.Before(start.Add(-clockSlack)):
		default:
			out = append(out, f)
		}
	}
	slices.Sort(out)
	return out
}
