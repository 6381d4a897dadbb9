package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/goldwire/goldwire/vectors/stim"
)

// reader reads a file of the cache.
type reader struct {
	f     *os.File
	words int   // of an item
	made  int64 // Unix seconds

	at     int64       // of the next chunk
	number uint64      // of the next chunk
	bufs   [2][]uint64 // of the chunk being read and the one before, whose items may be in use
	rest   records
	inside bool // an episode has begun and not ended
	total  totals
	over   bool
	err    error

	now, tx int64 // of the last item read
	timed   bool
}

// openFile opens a file that has the given header, apart from Made. A fs.PathError is a problem of the folder or the
// disk; any other error is damage.
func openFile(file string, want header) (*reader, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a pipe may block
		return nil, &fs.PathError{Op: "open", Path: file, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	r := &reader{f: f, words: want.Words}
	if err := r.rewind(want); err != nil {
		f.Close()
		return nil, err
	}
	return r, nil
}

func (r *reader) close() { r.f.Close() }

// rewind starts the file again and checks its header.
func (r *reader) rewind(want header) error {
	*r = reader{f: r.f, words: r.words, bufs: r.bufs}
	first, err := r.record()
	if err != nil {
		return err
	}
	var h header
	if err := r.rest.text(first, recHeader, &h); err != nil {
		return err
	}
	if r.made, h.Made = h.Made, want.Made; h != want {
		return errors.New("its header does not match its name")
	}
	return nil
}

// verify reads the whole file and rewinds it. It errors unless every chunk matches its checksum, every record has its
// form, and the file has the wanted number of events. The file is read twice because items already played cannot be
// taken back when a later chunk is bad; what is still in memory the second time is read at memory's speed.
func (r *reader) verify(want header, events int) error {
	for _, ok := r.next(); ok; _, ok = r.next() {
	}
	switch {
	case r.err != nil:
		return r.err
	case r.total.Events != uint64(events):
		return fmt.Errorf("it has %d of %d events", r.total.Events, events)
	}
	return r.rewind(want)
}

// chunk reads the next chunk and returns its records.
func (r *reader) chunk() ([]uint64, error) {
	var first [1]uint64
	if _, err := r.f.ReadAt(bytesOf(first[:]), r.at); err != nil {
		return nil, cut(err)
	}
	n := int(first[0] >> 32)
	if n == 0 || n > mostWords {
		return nil, fmt.Errorf("chunk %d of %d words", r.number, n)
	}
	buf := &r.bufs[r.number&1]
	if cap(*buf) < n {
		*buf = make([]uint64, max(n, chunkWords))
	}
	c := (*buf)[:n]
	if _, err := r.f.ReadAt(bytesOf(c), r.at+8); err != nil {
		return nil, cut(err)
	}
	if uint32(first[0]) != checksum(c, r.number) {
		return nil, fmt.Errorf("wrong checksum of chunk %d", r.number)
	}
	r.at += 8 + 8*int64(n)
	r.number++
	return c, nil
}

// cut replaces the end-of-file error of a file without totals.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}

// record returns the first word of the next record.
func (r *reader) record() (uint64, error) {
	if len(r.rest) == 0 {
		var err error
		if r.rest, err = r.chunk(); err != nil {
			return 0, err
		}
	}
	return r.rest.many(1)[0], nil
}

// fail ends the source with an error.
func (r *reader) fail(err error) bool {
	r.err = fmt.Errorf("stimulus cache: file %s: %w", r.f.Name(), err)
	return false
}

// next returns the next episode. After verify it fails only if the file has changed since.
func (r *reader) next() (*stim.Episode, bool) {
	for skip := (stim.Item{}); r.item(&skip); {
	}
	if r.over || r.err != nil {
		return nil, false
	}
	first, err := r.record()
	if err != nil {
		return nil, r.fail(err)
	}
	if first&0xff == recTotals {
		r.over = true
		if err := r.end(first); err != nil {
			r.fail(err)
		}
		return nil, false
	}
	var h head
	if err := r.rest.text(first, recEpisode, &h); err != nil {
		return nil, r.fail(err)
	}
	r.inside, r.timed = true, false
	r.total.Episodes++
	ep := &stim.Episode{Name: h.Name, Block: h.Block, Seed: h.Seed, Len: h.Len, Drive: h.Drive, Items: r.item}
	if h.Timed {
		ep.Times = func() (now, tx int64, ok bool) { return r.now, r.tx, r.timed }
	}
	return ep, true
}

// end checks the totals. Nothing may follow them.
func (r *reader) end(first uint64) error {
	var want totals
	if err := r.rest.text(first, recTotals, &want); err != nil {
		return err
	}
	if want != r.total {
		return fmt.Errorf("it has %+v, and its totals are %+v", r.total, want)
	}
	if info, err := r.f.Stat(); err != nil || len(r.rest) > 0 || info.Size() != r.at {
		return errors.New("data follows its totals")
	}
	return nil
}

// item fills in the next item of the episode. Its words point into the chunk.
func (r *reader) item(it *stim.Item) bool {
	if !r.inside || r.err != nil {
		return false
	}
	first, err := r.record()
	switch {
	case err != nil:
		return r.fail(err)
	case first == recEnd:
		r.inside = false
		return false
	case uint8(first) != recItem:
		return r.fail(fmt.Errorf("record %#x: not an item", first))
	}
	*it = itemOf(first, r.rest.many(r.words))
	r.now, r.tx = 0, 0
	if r.timed = first&flagTimed != 0; r.timed {
		if times := r.rest.many(2); times != nil {
			r.now, r.tx = int64(times[0]), int64(times[1])
		} else {
			return r.fail(errShort)
		}
	}
	if it.Words == nil {
		return r.fail(errShort)
	}
	r.total.Items++
	if !it.More {
		r.total.Events++
	}
	return true
}
