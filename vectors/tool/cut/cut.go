// Package cut makes a vector file of a stretch of another. The result can be played alone: a stretch that begins within
// an episode is extended to the start of that episode.
//
//	s, err := cut.Find(&f, cut.Range{From: 5000, To: 5999})
//	header, totals, err := cut.Write(w, &f, s)
package cut

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/goldwire/goldwire/vectors/format"
	"github.com/goldwire/goldwire/vectors/tool"
)

// End is the number of a record beyond every file.
const End = math.MaxUint64

// Range selects the records From to To, both included, or the episode of that name.
type Range struct {
	From, To uint64 // To may be End
	Episode  string // "": by number
}

// Beyond is the error of a record that a file does not have.
type Beyond struct {
	Record, Records uint64
}

// Error names the records there are.
func (e *Beyond) Error() string {
	return fmt.Sprintf("it has %d records, 0 to %d", e.Records, max(e.Records, 1)-1)
}

// NoEpisode is the error of an episode that a file does not have.
type NoEpisode struct{ Name string }

// Error names the episode.
func (e *NoEpisode) Error() string { return fmt.Sprintf("it has no episode %q", e.Name) }

// Find returns the stretch to copy: it begins with the episode that holds From. It errors with a *Beyond or a
// *NoEpisode when the file has none of it.
func Find(f *tool.File, want Range) (Range, error) {
	got := Range{To: want.To}
	if want.From == 0 && want.Episode == "" {
		return got, nil
	}
	r, done, err := f.Open()
	if err != nil {
		return got, err
	}
	defer done()
	found, ended := false, false
	err = f.Each(r, func(rec *format.Record) (bool, error) {
		switch {
		case want.Episode == "":
			if rec.Mark != nil {
				got.From = rec.Number
			}
			found = rec.Number == want.From
			ended = found
		case rec.Mark == nil:
		case found:
			got.To, ended = rec.Number-1, true
		case rec.Mark.Name == want.Episode:
			got.From, found = rec.Number, true
		}
		return !ended, nil
	})
	switch {
	case err != nil:
		return got, err
	case !found && want.Episode == "":
		return got, &Beyond{want.From, r.Totals().Records}
	case !found:
		return got, &NoEpisode{want.Episode}
	case !ended:
		got.To = r.Totals().Records - 1 // the last episode
	}
	return got, nil
}

// Write copies a stretch that Find returned, and returns the header and the totals of what it wrote. The header records
// what the file was cut from and where. It errors with a *Beyond when the file ends before To, unless that is End, or
// when nothing is left to write.
func Write(w io.Writer, f *tool.File, s Range) (format.Header, format.Totals, error) {
	h, t, err := write(w, f, s)
	if err == nil && t.Records == 0 {
		err = &Beyond{Record: s.From}
	}
	return h, t, err
}

func write(w io.Writer, f *tool.File, s Range) (h format.Header, t format.Totals, err error) {
	r, done, err := f.Open()
	if err != nil {
		return h, t, err
	}
	defer done()
	h = *r.Header()
	h.Args = append(slices.Clone(h.Args), "|", "vectors", "cut", "--from", fmt.Sprint(s.From), "--to", fmt.Sprint(s.To))
	fw, err := format.NewWriter(w, h)
	if err != nil {
		return h, t, err
	}
	last, any := uint64(0), false
	err = f.Each(r, func(rec *format.Record) (bool, error) {
		last, any = rec.Number, true
		if rec.Number >= s.From {
			if err := tool.Copy(fw, rec); err != nil {
				return false, err
			}
		}
		return rec.Number != s.To, nil
	})
	if err != nil {
		return h, t, err
	}
	if s.To != End && any && last < s.To {
		return h, t, &Beyond{s.To, last + 1}
	}
	t, err = fw.Close()
	return h, t, err
}
