package conform

import (
	"fmt"

	"github.com/goldwire/goldwire/bridge/wire"
)

var helloChecks = []check{
	{name: "hello/first", expect: "the server speaks first: a hello of version 1 with block, schema_hash, params, " +
		"in_words and out_words of the schema, frame 0", run: func(s *suite) error {
		return with(s.connect, func(p *probe) error {
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
					return fmt.Errorf("%s is %v, not %v", x.key, x.got, x.want)
				}
			}
			return nil
		})
	}},
	{name: "hello/same", expect: "each connection gets the same hello, but for the token", run: func(s *suite) error {
		return with(s.connect, func(p *probe) error {
			a, b := s.hello, p.hello
			a.Token, a.PID, b.Token, b.PID = "", 0, "", 0
			if a != b {
				return fmt.Errorf("%+v, then %+v", a, b)
			}
			return nil
		})
	}},
	{name: "hello/accepted", expect: "a hello that repeats the server's values and the token is accepted: configure is " +
		"answered by configured", run: func(s *suite) error {
		return with(s.ready, func(*probe) error { return nil })
	}},
	refusal("version", "version", func(h *wire.Hello) any { return h.Version }, func(h *wire.Hello) { h.Version++ }),
	refusal("block", "block", func(h *wire.Hello) any { return h.Block }, func(h *wire.Hello) { h.Block += "x" }),
	refusal("schema-hash", "schema-hash", func(h *wire.Hello) any { return h.SchemaHash },
		func(h *wire.Hello) { h.SchemaHash = "0123456789abcdef" }),
	refusal("params", "params", func(h *wire.Hello) any { return h.Params },
		func(h *wire.Hello) { h.Params += ",Strange=1" }),
	refusal("in-words", "layout", func(h *wire.Hello) any { return h.InWords }, func(h *wire.Hello) { h.InWords++ }),
	refusal("out-words", "layout", func(h *wire.Hello) any { return h.OutWords }, func(h *wire.Hello) { h.OutWords++ }),
	refusal("token", "token", nil, func(h *wire.Hello) { h.Token += "x" }),
	{name: "hello/missing", expect: "a request before the client's hello: error protocol, end", run: func(s *suite) error {
		return with(s.connect, func(p *probe) error {
			if err := p.send(wire.TypeFinish, nil); err != nil {
				return err
			}
			_, err := p.refused("protocol")
			return err
		})
	}},
	{name: "hello/twice", expect: "a second hello: error protocol, end", run: func(s *suite) error {
		return with(s.ready, func(p *probe) error {
			if err := p.send(wire.TypeHello, p.ours()); err != nil {
				return err
			}
			_, err := p.refused("protocol")
			return err
		})
	}},
}

// refusal checks that a hello with one wrong value is refused, and that the error names both; a token is not
// named.
func refusal(name, kind string, value func(*wire.Hello) any, edit func(*wire.Hello)) check {
	expect := fmt.Sprintf("a hello with another %s: error %s that names both values, end", name, kind)
	if kind == "token" {
		expect = "a hello with another token: error token, end"
	}
	return check{name: "hello/" + name, expect: expect, run: func(s *suite) error {
		return with(s.connect, func(p *probe) error {
			h := p.ours()
			edit(&h)
			if err := p.send(wire.TypeHello, h); err != nil {
				return err
			}
			m, err := p.refused(kind)
			if err != nil || value == nil {
				return err
			}
			if ours, theirs := fmt.Sprint(value(&p.hello)), fmt.Sprint(value(&h)); m.Ours != ours || m.Theirs != theirs {
				return fmt.Errorf("the error names ours %q and theirs %q, not %q and %q", m.Ours, m.Theirs, ours, theirs)
			}
			return nil
		})
	}}
}
