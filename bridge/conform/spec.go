package conform

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/goldwire/goldwire/bridge/wire"
	"github.com/goldwire/goldwire/vectors/event"
)

// Target is what is checked.
type Target struct {
	// Open returns a new connection, before any hello, and the token that the client must give on it.
	// Closing the connection must end what Open made.
	Open  func(ctx context.Context) (net.Conn, string, error)
	Block *event.Block // the schema the server is for
	// Params, as in a hello, that the server must have; "" for what its first hello says.
	Params  string
	Timeout time.Duration // for each answer; 0: 10 s
	// Started is called with the name of each check before it runs; may be nil.
	Started func(name string)
}

// Verdict of a check.
type Verdict string

// The verdicts. Skip is for a check that does not apply to what the server announces or to its block.
const (
	Pass Verdict = "PASS"
	Fail Verdict = "FAIL"
	Skip Verdict = "SKIP"
)

// Result is the outcome of one check.
type Result struct {
	Name    string  `json:"name"`
	Expect  string  `json:"expect"` // what the protocol requires
	Verdict Verdict `json:"verdict"`
	Got     string  `json:"got,omitempty"` // what came instead, or why it was skipped
}

// check is one entry of the list. It passes if run returns.
type check struct {
	name, expect string
	needs        string               // requests that the server must announce, joined by commas
	on           func(*suite) *probe  // its connection: connect, greeted or ready; nil if run opens its own
	run          func(*suite, *probe) // ends with must, fail or skip unless the check passes
}

// errSkip is wrapped by what skips a check.
var errSkip = errors.New("skipped")

// stopped carries the error with which a check ends from where it was found to try.
type stopped struct{ error }

func must(err error) {
	if err != nil {
		panic(stopped{err})
	}
}

func fail(format string, args ...any) { must(fmt.Errorf(format, args...)) }

func skip(format string, args ...any) { fail("%w: %s", errSkip, fmt.Sprintf(format, args...)) }

// try returns the error with which f ended.
func try(f func()) (err error) {
	defer func() {
		if x := recover(); x != nil {
			s, ok := x.(stopped)
			if !ok {
				panic(x)
			}
			err = s.error
		}
	}()
	f()
	return nil
}

// within puts words around the error with which f ends: format has one %w.
func within(f func(), format string, args ...any) {
	if err := try(f); err != nil {
		fail(format, append(args, err)...)
	}
}

// suite is what the checks of one Run share.
type suite struct {
	ctx    context.Context
	t      Target
	layout *event.Layout
	hello  wire.Hello // the first one, all others must be the same
	ref    *reference
	refErr error
}

// Checks returns the names of all checks in order.
func Checks() (names []string) {
	for _, c := range all() {
		names = append(names, c.name)
	}
	return names
}

func all() []check {
	return slices.Concat(helloChecks, frameChecks, controlChecks, requestChecks, runChecks, askChecks, clientChecks)
}

// Run runs every check and returns what each found. It errors when the first connection cannot be made, or
// ctx ends.
func Run(ctx context.Context, t Target) ([]Result, error) {
	if t.Timeout <= 0 {
		t.Timeout = 10 * time.Second
	}
	s := &suite{ctx: ctx, t: t, layout: event.NewLayout(t.Block)}
	c, _, err := t.Open(ctx)
	if err != nil {
		return nil, err
	}
	c.Close()
	var out []Result
	for i, c := range all() {
		if t.Started != nil {
			t.Started(c.name)
		}
		r := Result{Name: c.name, Expect: c.expect, Verdict: Pass}
		err := try(func() {
			s.needs(c.needs)
			s.with(c.on, func(p *probe) { c.run(s, p) })
		})
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("interrupted: %w", context.Cause(ctx))
		case errors.Is(err, errSkip):
			r.Verdict, r.Got = Skip, strings.TrimPrefix(err.Error(), errSkip.Error()+": ")
		case err != nil:
			r.Verdict, r.Got = Fail, strings.ReplaceAll(err.Error(), "\n", "; ")
		}
		out = append(out, r)
		if i == 0 && r.Verdict == Fail {
			break // no check below would show more
		}
	}
	return out, nil
}

func (s *suite) needs(requests string) {
	for _, r := range strings.Split(requests, ",") {
		if r != "" && !s.hello.Serves(r) {
			skip("the server does not serve %s", r)
		}
	}
}

// with runs f on a connection in the state that on makes, and closes it.
func (s *suite) with(on func(*suite) *probe, f func(p *probe)) {
	if on == nil {
		f(nil)
		return
	}
	p := on(s)
	defer p.c.Close()
	f(p)
}
