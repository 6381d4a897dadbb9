package cache

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/goldwire/goldwire/vectors/stim"
)

// writer writes a source to a file while it is played. The player fills chunks; a goroutine computes their checksums
// and writes them.
type writer struct {
	c     *Cache
	file  string
	head  *header
	full  chan []uint64
	empty chan []uint64
	stop  chan struct{} // closed when nothing is to be kept
	done  chan struct{} // closed when the goroutine has ended
	ended sync.Once     // of full or stop

	chunk []uint64 // being filled; nil once nothing is to be kept
	open  bool     // an episode was not played to its end
	total totals

	want   int // events of the source
	events int // written
	size   int // bytes of the chunks handed on
}

// buffers is the number of chunks that may wait for the disk. The player waits for it beyond them.
const buffers = 8

func newWriter(c *Cache, file string, h *header, events int) *writer {
	w := &writer{c: c, file: file, head: h, want: events,
		full: make(chan []uint64, buffers), empty: make(chan []uint64, buffers+1),
		stop: make(chan struct{}), done: make(chan struct{})}
	for range buffers {
		w.empty <- nil // allocated when it is needed: a small source needs few
	}
	w.chunk = newChunk(nil)
	go w.run()
	return w
}

// newChunk returns an empty chunk, whose first word is filled in by seal.
func newChunk(old []uint64) []uint64 {
	if old == nil {
		old = make([]uint64, chunkWords)
	}
	return old[:1]
}

// giveUp keeps nothing.
func (w *writer) giveUp() {
	w.ended.Do(func() { close(w.stop) })
	w.chunk = nil
}

// close gives up unless the source has ended, and waits until the file is there or gone.
func (w *writer) close() {
	w.ended.Do(func() { close(w.stop) })
	<-w.done
}

// end ends the file. It is kept when the source and every episode have ended by themselves.
func (w *writer) end(good bool) {
	if !good || w.open || w.chunk == nil || len(w.chunk) > 1 && !w.flush() {
		w.giveUp()
		return
	}
	w.chunk = nil
	w.ended.Do(func() { close(w.full) })
}

// episode returns an episode that gives the items of another one and writes them down.
func (w *writer) episode(ep *stim.Episode) *stim.Episode {
	if w.chunk == nil {
		return ep
	}
	head, err := appendHead(nil, ep)
	if err == nil {
		err = listed(ep)
	}
	if err != nil {
		w.c.log().Debug("stimulus is not kept", "error", err)
	}
	if err != nil || w.open || !w.room(len(head)) {
		w.giveUp()
		return ep
	}
	w.chunk = append(w.chunk, head...)
	w.open = true
	noted := *ep
	noted.Tap, noted.Events = nil, nil
	noted.Items = func(it *stim.Item) bool {
		if !ep.NextItem(it) {
			w.endEpisode()
			return false
		}
		if w.chunk != nil {
			w.item(ep, it)
		}
		return true
	}
	return &noted
}

func (w *writer) endEpisode() {
	if w.chunk == nil || !w.open {
		return
	}
	if !w.room(1) {
		w.giveUp()
		return
	}
	w.chunk = append(w.chunk, recEnd)
	w.open = false
	w.total.episodes++
}

// item writes down an item just taken from the episode.
func (w *writer) item(ep *stim.Episode, it *stim.Item) {
	first, err := firstWord(it)
	if err != nil || len(it.Words) != w.head.words || !w.open || !w.room(3+len(it.Words)) {
		w.giveUp()
		return
	}
	w.total.items++
	if !it.More {
		w.events++
	}
	if ep.Times == nil {
		w.chunk = append(append(w.chunk, first), it.Words...)
		return
	}
	now, tx, ok := ep.Times()
	if ok {
		first |= flagTimed
	}
	w.chunk = append(append(w.chunk, first), it.Words...)
	if ok {
		w.chunk = append(w.chunk, uint64(now), uint64(tx))
	}
}

// room makes room for a record of that many words; it returns false when nothing is to be kept.
func (w *writer) room(n int) bool {
	if len(w.chunk)+n <= cap(w.chunk) {
		return true
	}
	if len(w.chunk) > 1 && !w.flush() {
		return false
	}
	if n >= mostWords {
		return false
	}
	if n >= cap(w.chunk) {
		w.chunk = make([]uint64, 1, n+1)
	}
	return true
}

// enough is the number of bytes after which the size of the whole file is estimated.
const enough = 1 << 22

// fits returns false when the whole file will be well beyond its share of the limit: it would be written in vain, each
// time that the source is played.
func (w *writer) fits() bool {
	return w.size < enough || w.events == 0 ||
		float64(w.size)/float64(w.events)*float64(w.want) < 1.25*float64(w.c.Limit/share)
}

// flush hands the chunk to the goroutine.
func (w *writer) flush() bool {
	if w.size += 8 * len(w.chunk); !w.fits() {
		w.c.log().Debug("stimulus is not kept: it would be too large", "file", w.file, "events", w.want)
		w.giveUp()
		return false
	}
	select {
	case w.full <- w.chunk:
	case <-w.stop:
		return false
	}
	select {
	case old := <-w.empty:
		w.chunk = newChunk(old)
	case <-w.stop:
		return false
	}
	return true
}

// run writes the file, and gives it its name once everything is in it.
func (w *writer) run() {
	defer close(w.done)
	temp := ""
	keep, err := w.all(&temp)
	if err == nil && keep {
		err = os.Rename(temp, w.file)
	}
	if err != nil {
		w.c.warn(err)
	}
	if err != nil || !keep {
		w.ended.Do(func() { close(w.stop) }) // the player need not go on
		if temp != "" {
			os.Remove(temp)
		}
		return
	}
	w.c.trim()
}

// all writes all chunks to a temporary file. It returns false when nothing is to be kept.
func (w *writer) all(temp *string) (keep bool, err error) {
	if err := os.MkdirAll(w.c.Dir, 0o700); err != nil {
		return false, err
	}
	f, err := os.CreateTemp(w.c.Dir, filepath.Base(w.file[:len(w.file)-len(suffix)])+"-*"+tempSuffix)
	if err != nil {
		return false, err
	}
	defer func() {
		if closed := f.Close(); err == nil {
			err = closed
		}
	}()
	*temp = f.Name()
	out := bufio.NewWriterSize(f, 1<<12) // for the short chunks; the others pass it by
	if _, err := out.Write(bytesOf(w.head.chunk())); err != nil {
		return false, err
	}
	number, size := uint64(1), int64(8*headerWords)
	for {
		var c []uint64
		var more bool
		select {
		case c, more = <-w.full:
		case <-w.stop:
			return false, nil
		}
		if !more {
			break
		}
		seal(c, number)
		number++
		if size += int64(8 * len(c)); size > w.c.Limit/share {
			w.c.log().Debug("stimulus is not kept", "error", fmt.Errorf("it has more than %d bytes", w.c.Limit/share))
			return false, nil
		}
		if _, err := out.Write(bytesOf(c)); err != nil {
			return false, err
		}
		if cap(c) > chunkWords {
			c = nil
		}
		w.empty <- c
	}
	w.total.chunks = number
	if _, err := out.Write(bytesOf(w.total.chunk())); err != nil {
		return false, err
	}
	return true, out.Flush()
}
