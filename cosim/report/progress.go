package report

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// Progress keeps one line on a terminal up to date: events done and in all, rate and remaining time. It is silent if
// its writer is not a terminal, so that logs stay clean. All methods may be called from any goroutine.
type Progress struct {
	mu    sync.Mutex
	w     io.Writer
	label string
	unit  string // what is counted
	note  string // shown at the end of the line
	width int    // columns; 0 when silent
	now   func() time.Time
	start time.Time
	last  time.Time
	shown bool
}

// progressPeriod is short enough to look alive and long enough to cost nothing.
const progressPeriod = 100 * time.Millisecond

// NewProgress returns a progress line on w that starts with label.
func NewProgress(w io.Writer, label string) *Progress {
	width := 0
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		width = 80
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			width = n
		}
	}
	return newProgress(w, label, width, time.Now)
}

func newProgress(w io.Writer, label string, width int, now func() time.Time) *Progress {
	p := &Progress{w: w, label: label, unit: "events", width: width, now: now}
	if width > 0 {
		p.start = now()
	}
	return p
}

// Of sets the name of what is counted, instead of events, and returns p.
func (p *Progress) Of(unit string) *Progress {
	p.unit = unit
	return p
}

// Note sets the text at the end of the line from the next Update on.
func (p *Progress) Note(note string) {
	p.mu.Lock()
	p.note = note
	p.mu.Unlock()
}

// Say shows the current activity while nothing can be counted.
func (p *Progress) Say(what string) {
	if p.width == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last, p.shown = p.now(), true
	fmt.Fprintf(p.w, "\r\x1b[K%s", clip(p.label+"  "+what, p.width-1))
}

// Update shows that done of total events have been played. It prints at most ten times a second and may be called after
// every batch.
func (p *Progress) Update(done, total uint64) {
	if p.width == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.now()
	if p.shown && t.Sub(p.last) < progressPeriod {
		return
	}
	p.last, p.shown = t, true
	fmt.Fprintf(p.w, "\r\x1b[K%s", clip(strings.TrimRight(p.line(done, total, t.Sub(p.start).Seconds())+"  "+p.note, " "),
		p.width-1))
}

func (p *Progress) line(done, total uint64, elapsed float64) string {
	s := fmt.Sprintf("%s  %s %s", p.label, Count(done), p.unit)
	if total > 0 {
		s = fmt.Sprintf("%s  %s of %s %s", p.label, Count(done), Count(total), p.unit)
		s += fmt.Sprintf("  %d %%", int(100*min(1, float64(done)/float64(total))))
	}
	if elapsed < 0.5 || done == 0 {
		return s
	}
	r := float64(done) / elapsed
	s += fmt.Sprintf("  %s %s/s", si(r), p.unit)
	if total > done {
		s += "  " + eta(float64(total-done)/r) + " to go"
	}
	return s
}

// eta writes seconds as m:ss or h:mm:ss, rounded up.
func eta(s float64) string {
	if s > 360000 {
		return "over 100 h"
	}
	n := int(s) + 1
	if n >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", n/3600, n/60%60, n%60)
	}
	return fmt.Sprintf("%d:%02d", n/60, n%60)
}

// Close clears the line, so that later output starts on a clean one.
func (p *Progress) Close() {
	if p.width == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
