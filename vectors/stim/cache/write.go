package cache

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/vectors/stim"
)

// writer writes a source to a temporary file while it is played. The player itself writes: a chunk that it has just
// filled is in its processor's cache, and another thread would take its time from the network and the design.
type writer struct {
	c     *Cache
	file  string
	want  uint64 // events of the source
	words int    // of an item

	temp  *os.File // nil once nothing is to be kept, or all of it is
	chunk []uint64
	count uint64 // chunks written
	size  int64  // their bytes
	open  bool   // an episode was not played to its end
	kept  bool   // all of it is in the file
	total totals
}

// newWriter begins a file. It errors when the folder does not take one.
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

// errNotKept is the error of what is played and not kept, as it should be.
var errNotKept = errors.New("stimulus is not kept")

// failed removes the file where there is an error.
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

// end gives the file its name when the source and every episode have ended by themselves and nothing is missing.
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

// episode returns an episode that gives the items of another one and writes them down.
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
	noted.Tap, noted.Events = nil, nil
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

// text writes down a text record.
func (w *writer) text(kind uint64, v any) error {
	text, err := appendText(nil, kind, v)
	if err == nil {
		err = w.room(len(text))
	}
	w.chunk = append(w.chunk, text...)
	return err
}

// item writes down an item just taken from the episode.
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

// room makes room for a record of that many words.
func (w *writer) room(n int) error {
	if len(w.chunk)+n <= chunkWords {
		return nil
	}
	if n >= mostWords {
		return fmt.Errorf("%w: a record of %d words is too long", errNotKept, n)
	}
	return w.flush()
}

// dense is the most bytes of an event that are worth keeping. Packets take up to 6,000: to write those takes 20 to 90 %
// of the time of making them, and to read them 30 to 100 %.
const dense = 128

// enough is the number of chunks after which the size of the whole file is estimated.
const enough = 16

// flush writes the chunk. It errors once an event takes more than dense bytes, and when the file is beyond its share of
// the limit, or will be well beyond: it would be written in vain, each time that the source is played.
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
