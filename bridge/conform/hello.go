package conform

import (
	"fmt"

	"github.com/goldwire/goldwire/bridge/wire"
)

var helloChecks = []check{
	{name: "hello/first", expect: "the server speaks first: a hello of version 1 with block, schema_hash, params, " +
		"in_words and out_words of the schema, frame 0", on: (*suite).connect, run: func(s *suite, p *probe) {
		s.hello = p.hello
		b, h := s.t.Block, &p.hello
		if s.t.Params == "" {
			s.t.Params = h.Params
		}
		for _, x := range []struct {
			key       string
			want, got any
		}{
			{"version", wire.Version, h.Version}, {"block", b.Name, h.Block}, {"schema_hash", b.Hash(), h.SchemaHash},
			{"params", s.t.Params, h.Params}, {"in_words", s.layout.In.Words, h.InWords},
			{"out_words", s.layout.Out.Words, h.OutWords},
		} {
			if x.want != x.got {
				fail("%s is %v, not %v", x.key, x.got, x.want)
			}
		}
	}},
	{name: "hello/same", expect: "each connection gets the same hello, but for the token", on: (*suite).connect,
		run: func(s *suite, p *probe) {
			a, b := s.hello, p.hello
			a.Token, a.PID, b.Token, b.PID = "", 0, "", 0
			if a != b {
				fail("%+v, then %+v", a, b)
			}
		}},
	{name: "hello/accepted", expect: "a hello that repeats the server's values and the token is accepted: configure is " +
		"answered by configured", on: (*suite).ready, run: func(*suite, *probe) {}},
	refusal("version", "version", func(h *wire.Hello) any { return h.Version }, func(h *wire.Hello) { h.Version++ }),
	refusal("block", "block", func(h *wire.Hello) any { return h.Block }, func(h *wire.Hello) { h.Block += "x" }),
	refusal("schema-hash", "schema-hash", func(h *wire.Hello) any { return h.SchemaHash },
		func(h *wire.Hello) { h.SchemaHash = "0123456789abcdef" }),
	refusal("params", "params", func(h *wire.Hello) any { return h.Params },
		func(h *wire.Hello) { h.Params += ",Strange=1" }),
	refusal("in-words", "layout", func(h *wire.Hello) any { return h.InWords }, func(h *wire.Hello) { h.InWords++ }),
	refusal("out-words", "layout", func(h *wire.Hello) any { return h.OutWords }, func(h *wire.Hello) { h.OutWords++ }),
	refusal("token", "token", nil, func(h *wire.Hello) { h.Token += "x" }),
	refused("hello/missing", "a request before the client's hello", "protocol", (*suite).connect,
		func(p *probe) { p.send(wire.TypeFinish, nil) }),
	refused("hello/twice", "a second hello", "protocol", (*suite).ready,
		func(p *probe) { p.send(wire.TypeHello, p.ours()) }),
}

// refused is a check that the server answers what send sends with an error of the kind, and ends the stream.
func refused(name, what, kind string, on func(*suite) *probe, send func(*probe)) check {
	return check{name: name, expect: fmt.Sprintf("%s: error %s, end", what, kind), on: on, run: func(_ *suite, p *probe) {
		send(p)
		p.refused(kind)
	}}
}

// refusal checks that a hello with one wrong value is refused, and that the error names both; a token is not
// named.
func refusal(name, kind string, value func(*wire.Hello) any, edit func(*wire.Hello)) check {
	expect := fmt.Sprintf("a hello with another %s: error %s that names both values, end", name, kind)
	if kind == "token" {
		expect = "a hello with another token: error token, end"
	}
	return check{name: "hello/" + name, expect: expect, on: (*suite).connect, run: func(_ *suite, p *probe) {
		h := p.ours()
		edit(&h)
		p.send(wire.TypeHello, h)
		m := p.refused(kind)
		if value == nil {
			return
		}
		if ours, theirs := fmt.Sprint(value(&p.hello)), fmt.Sprint(value(&h)); m.Ours != ours || m.Theirs != theirs {
			fail("the error names ours %q and theirs %q, not %q and %q", m.Ours, m.Theirs, ours, theirs)
		}
	}}
}
