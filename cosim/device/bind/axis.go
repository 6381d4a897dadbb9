package bind

import (
	"regexp"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
)

// axisName is a port of AXI-Stream: what the port is for after a t, and the stream's name before it.
var axisName = regexp.MustCompile(`(?i)^(.*?)_?t(valid|ready|data|keep|strb|last|user|id|dest)(?:_[io])?$`)

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
		what := strings.TrimPrefix(strings.TrimPrefix(r.Name, r.Stream.Name+"_"), r.Stream.Name+".")
		if k, ok := g.spots[what]; ok && (spots[k].port.Dir == "in") == r.In {
			out = append(out, fitting{i, k, axisFit})
		} else if k, user := g.spots["user"]; user && r.Field != nil && r.Stream.Field("user") == nil &&
			spots[k].width == r.Width {
			out = append(out, fitting{i, k, axisUser})
		}
	}
	return out
}

// fitting is a schema port, a place that it may be, and how well it fits.
type fitting struct{ ref, spot, fit int }
