package cache

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/goldwire/goldwire/vectors/stim"
)

// reader reads a file of the cache.
type reader struct {
	f     *os.File
	words int // of an item
	total totals

	at     int64       // of the next chunk
	number uint64      // of the next chunk
	bufs   [2][]uint64 // of the chunk being read and of the one before, whose items may be in use
	rest   words
	inside bool // an episode was begun and not ended
	timed  bool // its items have times
	read   totals
	err    error

	now, tx int64 // of the item last read
	known   bool
}

// openFile opens a file and takes its header. The error is that of os.Open, or tells what is damaged.
func openFile(file string, h *header) (*reader, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	first := make([]uint64, headerWords)
	if _, err = io.ReadFull(f, bytesOf(first)); err == nil {
		err = h.read(first)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	r := &reader{f: f, words: h.words}
	r.rewind()
	return r, nil
}

func (r *reader) close() { r.f.Close() }

func (r *reader) rewind() { r.at, r.number = 8*headerWords, 1 }

// verify returns an error unless every chunk has its checksum and the file ends after its totals. A bad chunk that is
// met half way cannot be undone, so the file is read twice; what is in memory by then is read at memory's speed.
func (r *reader) verify() error {
	defer r.rewind()
	for {
		c, err := r.chunk()
		if err != nil {
			return err
		}
		if c[0] != recTotals {
			continue
		}
		if len(c) != 4 || c[3] != r.number-1 {
			return errors.New("wrong totals")
		}
		r.total = totals{episodes: c[1], items: c[2]}
		info, err := r.f.Stat()
		if err == nil && info.Size() != r.at {
			err = errors.New("it goes on after its totals")
		}
		return err
	}
}

// chunk reads the next chunk and returns its payload.
func (r *reader) chunk() ([]uint64, error) {
	var first [1]uint64
	if _, err := r.f.ReadAt(bytesOf(first[:]), r.at); err != nil {
		return nil, cut(err)
	}
	n, err := lengthOf(first[0])
	if err != nil {
		return nil, err
	}
	buf := &r.bufs[r.number&1]
	if cap(*buf) < n {
		*buf = make([]uint64, max(n, chunkWords))
	}
	c := (*buf)[:n]
	if _, err := r.f.ReadAt(bytesOf(c), r.at+8); err != nil {
		return nil, cut(err)
	}
	if err := check(first[0], c, r.number); err != nil {
		return nil, err
	}
	r.at += 8 + 8*int64(n)
	r.number++
	return c, nil
}

// cut names the end of a file that has no totals.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}

// fail ends the source: the file was good when it was opened, and is not any more.
func (r *reader) fail(err error) bool {
	if r.err == nil {
		r.err = fmt.Errorf("stimulus cache: file %s has changed while it was played: %w; run it again", r.f.Name(), err)
	}
	return false
}

// record returns the first word of the next record.
func (r *reader) record() uint64 {
	for len(r.rest.rest) == 0 {
		c, err := r.chunk()
		if err != nil {
			r.fail(err)
			return 0
		}
		r.rest.rest = c
	}
	return r.rest.one()
}

// next returns the next episode.
func (r *reader) next() (*stim.Episode, bool) {
	for skip := (stim.Item{}); r.inside && r.item(&skip); {
	}
	if r.err != nil {
		return nil, false
	}
	switch first := r.record(); {
	case r.err != nil:
		return nil, false
	case first == recTotals:
		if r.read.episodes != r.total.episodes || r.read.items != r.total.items {
			r.fail(fmt.Errorf("%d of %d items were read", r.read.items, r.total.items))
		}
		r.rest.rest = []uint64{recTotals} // it stays at the end
		return nil, false
	case first != recEpisode:
		return nil, r.fail(errors.New("no episode begins"))
	}
	ep, timed := r.rest.head()
	if r.rest.short {
		return nil, r.fail(errors.New("a list is cut off"))
	}
	r.inside, r.timed, r.known = true, timed, false
	ep.Items = r.item
	if timed {
		ep.Times = func() (now, tx int64, ok bool) { return r.now, r.tx, r.known }
	}
	return ep, true
}

// item fills in the next item of the episode. Its words are in the chunk.
func (r *reader) item(it *stim.Item) bool {
	if !r.inside || r.err != nil {
		return false
	}
	first := r.record()
	if r.err != nil {
		return false
	}
	if first == recEnd {
		r.inside = false
		r.read.episodes++
		return false
	}
	if uint8(first) != recItem {
		return r.fail(errors.New("no item follows"))
	}
	*it = itemOf(first, r.rest.many(r.words))
	if r.known = first&flagTimed != 0; r.known {
		r.now, r.tx = int64(r.rest.one()), int64(r.rest.one())
	} else {
		r.now, r.tx = 0, 0
	}
	r.read.items++
	if r.rest.short {
		return r.fail(errors.New("an item is cut off"))
	}
	return true
}
