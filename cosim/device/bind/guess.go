package bind

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// guess is a map of a block's ports to a module's, by name.
type guess struct {
	block    *event.Block
	beats    int // bits of the design's bus where they are not the block's
	score    int
	found    int // ports of the block found
	all      int // and had
	clock    string
	reset    Reset
	resetWhy string
	params   []string // lines
	lines    []string // of the map, comments for what was not found
	rest     []string // inputs left over
	spare    []string // outputs left over
	packages []string // sources with packages that nobody named
}

// spot is a port, or a member of one, that a schema port may be.
type spot struct {
	text  string // as an expression
	port  *Port
	words []string
	width int
	used  bool
}

// alike are words that mean the same; the first of each line replaces the others.
var alike = [][]string{
	{"valid", "vld", "val", "v", "req", "en"}, {"ready", "rdy", "r", "gnt", "ack"},
	{"now", "time", "ts", "timestamp", "stamp"},
	{"ctx", "context", "cid"}, {"kind", "op", "opcode", "cmd", "type"}, {"size", "len", "length", "bytes"},
	{"ev", "event", "evt", "in", "req"}, {"rsp", "resp", "response", "result", "res", "out"}, {"cwnd", "window", "wnd"},
	{"data", "wdata", "rdata"}, {"addr", "address"}, {"m", "ecn", "mark", "marked"}, {"entropy", "ev"}, {"pdc", "pdcid"},
	{"rtx", "retx", "retransmit"}, {"tx", "sent"}, {"count", "cnt"}, {"pkts", "packets"}, {"delay", "qdelay"},
	{"avg", "average", "mean"},
}

// sides are words that give only a port's direction.
var sides = map[string]bool{"i": true, "o": true, "in": true, "out": true, "s": true, "d": true, "q": true}

var word = regexp.MustCompile(`[A-Z]+[^\W_A-Z]*|[^\W_A-Z]+`)

// wordsOf cuts a name at underscores and capitals, in lower case.
func wordsOf(name string) []string {
	words := word.FindAllString(name, -1)
	for i := range words {
		words[i] = strings.ToLower(words[i])
	}
	return words
}

func same(a, b string) bool {
	both := func(l []string) bool { return slices.Contains(l, a) && slices.Contains(l, b) }
	return a == b || slices.ContainsFunc(alike, both)
}

// fit rates how well a spot's name and width suit a schema port; 0 is not at all.
func fit(r *ref, s *spot) int {
	want := wordsOf(r.what())
	have, stream := slices.Clone(s.words), false
	// The stream's own word, where the name has it, does not count as the field's.
	if len(have) > len(want) {
		if i := slices.IndexFunc(have, func(w string) bool { return same(w, r.Stream.Name) }); i >= 0 {
			have, stream = slices.Delete(have, i, i+1), true
		}
	}
	score := 0
	for _, w := range want {
		i := slices.Index(have, w)
		full := 30
		if i < 0 {
			i, full = slices.IndexFunc(have, func(h string) bool { return same(h, w) }), 22
		}
		if i < 0 {
			continue
		}
		score += full
		have = slices.Delete(have, i, i+1)
	}
	if score*10 < len(want)*30*6 { // most words must be there
		return 0
	}
	for _, h := range have {
		if !sides[h] {
			score -= 8
		}
	}
	if stream {
		score += 12
	}
	if s.width == r.Width {
		score += 10
	} else {
		score -= 12
	}
	return max(score, 0)
}

// least is the fit below which nothing is guessed.
const least = 20

// guessMap finds the best map of a block's ports, to a design whose bus has that many bits; 0: as many as the block's.
func guessMap(b *event.Block, m *Module, beats int) *guess {
	g := &guess{block: b, beats: beats}
	spots := g.clocks(m)
	all := refs(b, beats)
	pairs := axis(b, all, spots)
	for i := range all {
		for k := range spots {
			if (spots[k].port.Dir == "in") != all[i].In {
				continue
			}
			if f := fit(&all[i], &spots[k]); f >= least {
				pairs = append(pairs, fitting{i, k, f})
			}
		}
	}
	slices.SortStableFunc(pairs, func(a, b fitting) int { return cmp.Compare(b.fit, a.fit) })
	found := map[int]int{}
	for _, p := range pairs {
		if _, done := found[p.ref]; done || spots[p.spot].used {
			continue
		}
		found[p.ref], spots[p.spot].used = p.spot, true
		g.score += p.fit
	}
	g.found, g.all = len(found), len(all)
	g.score = g.score * 100 / len(all) // of blocks that fit alike, the one with the fewest ports left over
	for i := range all {
		if k, ok := found[i]; ok {
			g.mapped(&all[i], &spots[k])
		} else {
			g.lines = append(g.lines, missing(&all[i]))
		}
	}
	for _, s := range spots {
		switch {
		case s.used:
		case s.port.Dir == "in":
			g.rest = append(g.rest, fmt.Sprintf("%q: 0  # %s, %s", s.text, bitsOf(s.width), s.port.Type))
		case s.port.Dir == "out":
			g.spare = append(g.spare, fmt.Sprintf("%s (%s)", s.text, bitsOf(s.width)))
		}
	}
	for _, name := range m.Params {
		line := fmt.Sprintf("# %s: ?", inYAML(name))
		if i := slices.IndexFunc(b.Params, func(p event.Param) bool {
			return strings.EqualFold(strings.ReplaceAll(p.Name, "_", ""), strings.ReplaceAll(name, "_", ""))
		}); i >= 0 {
			line = fmt.Sprintf("%s: %s", inYAML(name), b.Params[i].Name)
		}
		g.params = append(g.params, line)
	}
	if !slices.ContainsFunc(g.params, func(l string) bool { return l[0] != '#' }) {
		for i := range g.params { // a mapping with comments alone is not a mapping
			g.params[i] = strings.TrimPrefix(g.params[i], "# ")
		}
		if len(g.params) > 0 {
			g.params = []string{"{}  # it has " + strings.Join(g.params, ", ")}
		}
	}
	return g
}

// mapped writes the line of a port that was found, with slices where the widths differ.
func (g *guess) mapped(r *ref, s *spot) {
	text, why := inYAML(s.text), fmt.Sprintf("  # a guess: %s has %d bits, %s %d", s.text, s.width, r.Name, r.Width)
	switch {
	case s.width > r.Width:
		text = strconv.Quote(fmt.Sprintf("%s[%d:0]", s.text, r.Width-1))
	case s.width < r.Width:
		text = strconv.Quote(fmt.Sprintf("{%d'd0, %s}", r.Width-s.width, s.text))
	case !strings.Contains(strings.Join(s.words, "_"), strings.Join(wordsOf(strings.TrimPrefix(r.Name, r.Stream.Name)),
		"_")):
		why = "  # a guess by likeness"
	default:
		why = ""
	}
	g.lines = append(g.lines, fmt.Sprintf("%s: %s%s", r.Name, text, why))
}

// missing writes the line of a port that was not found.
func missing(r *ref) string {
	switch {
	case r.what() == "ready" && r.Field == nil && r.In:
		return fmt.Sprintf("# %s: ?  # an input of the design, or none: it has no ready there", r.Name)
	case r.what() == "ready" && r.Field == nil:
		return fmt.Sprintf("# %s: ?  # an output of the design, or 1: it is always ready", r.Name)
	case r.Field == nil:
		return fmt.Sprintf("# %s: ?", r.Name)
	}
	doc := ""
	if r.Field.Doc != "" {
		doc = ": " + r.Field.Doc
	}
	return fmt.Sprintf("# %s: ?  # %s%s; none leaves it out", r.Name, bitsOf(r.Width), doc)
}

// clocks finds clock and reset and returns all other ports and members.
func (g *guess) clocks(m *Module) []spot {
	var out []spot
	for i := range m.Ports {
		p := &m.Ports[i]
		words := wordsOf(p.Name)
		has := func(all ...string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(all, w) })
		}
		if p.Dir == "in" && p.Width == 1 && g.clock == "" && has("clk", "clock", "aclk", "ck") {
			g.clock = p.Name
			continue
		}
		if p.Dir == "in" && p.Width == 1 && g.reset.Port == "" && has("rst", "reset", "arst", "areset", "rstn", "resetn",
			"aresetn", "rst_n", "arstn", "ni", "rn", "nrst", "nreset") {
			g.guessReset(m, p, words)
			continue
		}
		if len(p.Members) > 0 {
			out = append(out, m.memberSpots(p, []string{p.Name}, p.Members)...)
		} else if p.Width > 0 {
			out = append(out, spot{text: m.expr(p.Name), port: p, words: words, width: p.Width})
		}
	}
	return out
}

func (m *Module) memberSpots(p *Port, prefix []string, ms []Member) (out []spot) {
	for _, x := range ms {
		path := append(slices.Clone(prefix), x.Name)
		if len(x.Members) > 0 {
			out = append(out, m.memberSpots(p, path, x.Members)...)
			continue
		}
		text := m.expr(path...)
		out = append(out, spot{text: text, port: p, words: wordsOf(text), width: x.Width})
	}
	return out
}

// guessReset guesses polarity and kind from the processes that are sensitive to the reset, or from its name.
func (g *guess) guessReset(m *Module, p *Port, words []string) {
	g.reset.Port = p.Name
	for _, e := range m.Edges {
		if e.Signal == p.Name {
			g.reset.High = !e.Neg
			return
		}
	}
	below := slices.ContainsFunc(m.Edges, func(e Edge) bool {
		return strings.Contains(strings.ToLower(e.Signal), "rst") || strings.Contains(strings.ToLower(e.Signal), "reset")
	})
	last := words[len(words)-1]
	low := slices.ContainsFunc(words, func(w string) bool { return w == "n" || w == "ni" || w == "rn" }) ||
		strings.HasSuffix(last, "n") || strings.HasPrefix(words[0], "n")
	g.reset.High, g.reset.Sync = !low, !below
	g.resetWhy = "  # a guess by name"
}

// axisName is a port of AXI-Stream: what the port is for after a t, and the stream's name before it.
var axisName = regexp.MustCompile(`(?i)^(.*?)[_.]?t(valid|ready|data|keep|strb|last|user|id|dest)(?:_[io])?$`)

// axisFit is the fit of a port that the standard names; axisUser that of a tuser of the width of a field without one.
const axisFit, axisUser = 1000, 60

// axisGroup is the ports of one stream of a design.
type axisGroup struct {
	prefix string
	in     bool
	spots  map[string]int // by what the port is for: place of the spot
}

// axisGroups finds the AXI-Streams among a module's ports: those with a tvalid, in its order.
func axisGroups(spots []spot) (out []*axisGroup) {
	for k := range spots {
		m := axisName.FindStringSubmatch(spots[k].text)
		if m == nil {
			continue
		}
		i := slices.IndexFunc(out, func(g *axisGroup) bool { return g.prefix == strings.ToLower(m[1]) })
		if i < 0 {
			i = len(out)
			out = append(out, &axisGroup{prefix: strings.ToLower(m[1]), spots: map[string]int{}})
		}
		out[i].spots[strings.ToLower(m[2])] = k
	}
	out = slices.DeleteFunc(out, func(g *axisGroup) bool { _, ok := g.spots["valid"]; return !ok })
	for _, g := range out {
		g.in = spots[g.spots["valid"]].port.Dir == "in"
	}
	return out
}

// axis fits the streams of a block to the AXI-Streams of a module. A stream takes the AXI-Stream whose name contains
// its own, or else the next free one of the same direction.
func axis(b *event.Block, all []ref, spots []spot) (out []fitting) {
	groups := axisGroups(spots)
	taken := make([]bool, len(groups))
	choose := func(s *event.Stream, named bool) *axisGroup {
		for i, g := range groups {
			if taken[i] || g.in != (s.Dir == event.In) || named && !slices.Contains(wordsOf(g.prefix), s.Name) {
				continue
			}
			taken[i] = true
			return g
		}
		return nil
	}
	chosen := map[string]*axisGroup{}
	for _, named := range []bool{true, false} {
		for i := range b.Streams {
			if s := &b.Streams[i]; chosen[s.Name] == nil {
				if g := choose(s, named); g != nil {
					chosen[s.Name] = g
				}
			}
		}
	}
	for i := range all {
		r := &all[i]
		g := chosen[r.Stream.Name]
		if g == nil {
			continue
		}
		if k, ok := g.spots[r.what()]; ok && (spots[k].port.Dir == "in") == r.In {
			fit := axisFit
			if spots[k].width != r.Width {
				fit-- // of several widths of the bus, the right one fits best
			}
			out = append(out, fitting{i, k, fit})
		} else if k, user := g.spots["user"]; user && r.Field != nil && r.Stream.Field("user") == nil &&
			spots[k].width == r.Width {
			out = append(out, fitting{i, k, axisUser})
		}
	}
	return out
}

// fitting is a schema port, a place that it may be, and how well it fits.
type fitting struct{ ref, spot, fit int }
