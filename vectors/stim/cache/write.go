package cache

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/vectors/stim"
)

// writer writes a source to a temporary file while it is played. The player does the writing: the chunk that it has
// just filled is in its processor's cache, and another thread would take time from the simulation and the design.
type writer struct {
	c     *Cache
	file  string
	want  uint64 // events of the source
	words int    // of an item

	temp  *os.File // nil once everything is kept, or nothing will be
	chunk []uint64
	count uint64 // chunks written
	size  int64  // their bytes
	open  bool   // an episode has not been played to its end
	kept  bool   // the file is complete
	total totals
}

// newWriter starts a file. It errors when the folder does not accept one.
func newWriter(c *Cache, file string, h header, events int) (w *writer, err error) {
	w = &writer{c: c, file: file, want: uint64(events), words: h.Words, chunk: make([]uint64, 1, chunkWords)}
	if err := os.MkdirAll(c.Dir, 0o700); err != nil {
		return nil, err
	}
	if w.temp, err = os.CreateTemp(c.Dir, filepath.Base(file)+".*"+tempSuffix); err != nil {
		return nil, err
	}
	w.failed(w.text(recHeader, h))
	return w, nil
}

// errNotKept marks stimulus that is played but intentionally not kept.
var errNotKept = errors.New("stimulus is not kept")

// failed removes the file if err is not nil.
func (w *writer) failed(err error) {
	if err == nil || w.temp == nil {
		return
	}
	if errors.Is(err, errNotKept) {
		w.c.log().Debug(err.Error(), "file", w.file)
	} else {
		w.c.warn(err)
	}
	w.temp.Close()
	os.Remove(w.temp.Name())
	w.temp = nil
}

// close removes the file unless the source has ended.
func (w *writer) close() { w.failed(errNotKept) }

// end renames the file to its final name if the source and every episode ended by themselves and no event is missing.
func (w *writer) end(good bool) {
	if w.temp == nil {
		return
	}
	if !good || w.open || w.total.Events != w.want {
		w.failed(errNotKept)
		return
	}
	err := errors.Join(w.text(recTotals, w.total), w.flush(), w.temp.Close())
	if err == nil {
		err = os.Rename(w.temp.Name(), w.file)
	}
	if w.failed(err); err == nil {
		w.temp, w.kept = nil, true
		w.c.trim()
	}
}

// episode returns an episode that passes on the items of ep and records them.
func (w *writer) episode(ep *stim.Episode) *stim.Episode {
	if w.temp == nil {
		return ep
	}
	if w.open || ep.Judge != nil || ep.Lanes != nil || ep.Drive.ByLane {
		w.failed(fmt.Errorf("%w: the episode before %s was not played to its end, or %[2]s is not a list of items",
			errNotKept, ep.Name))
		return ep
	}
	w.failed(w.text(recEpisode, head{ep.Name, ep.Block, ep.Seed, ep.Len, ep.Times != nil, ep.Drive}))
	w.open = true
	w.total.Episodes++
	noted := *ep
	noted.Tap = nil
	noted.Items = func(it *stim.Item) bool {
		ok := ep.NextItem(it)
		if w.temp == nil {
			return ok
		}
		if ok {
			w.failed(w.item(ep, it))
		} else if w.open {
			w.failed(w.room(1))
			w.chunk = append(w.chunk, recEnd)
			w.open = false
		}
		return ok
	}
	return &noted
}

// text writes a text record.
func (w *writer) text(kind uint64, v any) error {
	text, err := appendText(nil, kind, v)
	if err == nil {
		err = w.room(len(text))
	}
	w.chunk = append(w.chunk, text...)
	return err
}

// item writes an item just taken from the episode.
func (w *writer) item(ep *stim.Episode, it *stim.Item) error {
	if !w.open || it.Lane < 0 || it.Lane > math.MaxUint8 || len(it.Words) != w.words {
		return fmt.Errorf("%w: an item of episode %s has no record", errNotKept, ep.Name)
	}
	err := w.room(3 + len(it.Words))
	w.total.Items++
	if !it.More {
		w.total.Events++
	}
	first := firstWord(it)
	now, tx, timed := ep.Picos()
	if timed {
		first |= flagTimed
	}
	w.chunk = append(append(w.chunk, first), it.Words...)
	if timed {
		w.chunk = append(w.chunk, uint64(now), uint64(tx))
	}
	return err
}

// room makes room for a record of n words.
func (w *writer) room(n int) error {
	if len(w.chunk)+n <= chunkWords {
		return nil
	}
	if n >= mostWords {
		return fmt.Errorf("%w: a record of %d words is too long", errNotKept, n)
	}
	return w.flush()
}

// dense is the most bytes per event that are worth keeping. Packets take up to 6,000: writing them takes 20 to 90 % of
// the time of making them, and reading them 30 to 100 %.
const dense = 128

// enough is the number of chunks after which the size of the whole file is estimated.
const enough = 16

// flush writes the chunk. It errors when events take more than dense bytes each, or when the file exceeds its share of
// the limit or clearly will: it would be written in vain each time the source is played.
func (w *writer) flush() error {
	if len(w.chunk) == 1 {
		return nil
	}
	seal(w.chunk, w.count)
	w.count++
	w.size += int64(8 * len(w.chunk))
	most, events := w.c.Limit/share, float64(w.total.Events)
	whole := float64(w.size) / max(events, 1) * float64(w.want)
	if w.size > min(most, 8*chunkWords+dense*int64(events)) || w.count >= enough && whole > 1.25*float64(most) {
		return fmt.Errorf("%w: %.0f of %d events take %d bytes", errNotKept, events, w.want, w.size)
	}
	_, err := w.temp.Write(bytesOf(w.chunk))
	w.chunk = w.chunk[:1]
	return err
}
