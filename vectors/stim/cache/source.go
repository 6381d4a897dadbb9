package cache

import (
	"fmt"
	"os"
	"time"

	"github.com/goldwire/goldwire/vectors/stim"
)

// Source gives the episodes of a source, either made or read from a file. It is a stim.Source.
type Source struct {
	cache  *Cache
	name   string // for people
	open   func() (stim.Source, error)
	head   header
	events int         // wanted
	file   string      // of the kept source; "" if it is not kept
	live   stim.Source // nil while the file is read
	read   *reader     // nil while the source is made
	write  *writer     // nil if nothing is written
	begun  bool
	closed bool
	err    error // of the second open
}

// Made returns when the stimulus that is read from the cache was made. read is false if this source makes it. The
// answer is final once the first episode was requested.
func (s *Source) Made() (at time.Time, read bool) {
	if s.read == nil {
		return time.Time{}, false
	}
	return time.Unix(s.read.made, 0), true
}

// Begun reports whether an episode was requested.
func (s *Source) Begun() bool { return s.begun }

// Looked reports whether the cache was searched for this source.
func (s *Source) Looked() bool { return s.file != "" }

// Written reports whether this source was played to its end and is now in the cache.
func (s *Source) Written() bool { return s.write != nil && s.write.kept }

// Next returns the next episode.
func (s *Source) Next() (*stim.Episode, bool) {
	if !s.begun && !s.closed {
		s.begun = true
		s.begin()
	}
	switch {
	case s.closed || s.err != nil:
		return nil, false
	case s.read != nil:
		return s.read.next()
	}
	ep, ok := s.live.Next()
	if s.write == nil {
		return ep, ok
	}
	if !ok {
		s.write.end(s.live.Err() == nil)
		return nil, false
	}
	return s.write.episode(ep), true
}

// begin checks the file to be read, or starts the one to be written. A source that is opened but not played does
// neither.
func (s *Source) begin() {
	if s.read != nil {
		err := s.read.verify(s.head, s.events)
		if err == nil {
			now := time.Now()
			os.Chtimes(s.file, now, now) // last use, for trim; a file whose time cannot be set counts as old
			return
		}
		s.read.close()
		s.cache.discard(s, err)
		s.read = nil
		if s.live, s.err = s.open(); s.err != nil {
			return
		}
	}
	if s.file != "" {
		s.head.Made = time.Now().Unix()
		var err error
		if s.write, err = newWriter(s.cache, s.file, s.head, s.events); err != nil {
			s.cache.warn(err)
		}
	}
}

// Err returns what ended the source early, or nil.
func (s *Source) Err() error {
	switch {
	case s.err != nil:
		return s.err
	case s.read == nil:
		return s.live.Err()
	case s.read.err != nil: // it was good when it was opened
		return fmt.Errorf("%w; it has changed while it was played: run it again", s.read.err)
	}
	return nil
}

// Close releases the source's resources. A source that was not played to its end is not kept.
func (s *Source) Close() {
	s.closed = true
	if s.write != nil {
		s.write.close() // first: a source closed in mid-play looks as if it ended by itself
	}
	if s.read != nil {
		s.read.close()
	}
	if s.live != nil {
		s.live.Close()
	}
}
