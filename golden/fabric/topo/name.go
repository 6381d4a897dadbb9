package topo

import (
	"fmt"
	"strconv"
	"strings"
)

// Name returns the name of a port, as in "tor0->agg1"; of several between the same
// nodes it ends in their number in the order of the links, as in "tor0->agg1#2".
func (n *Net) Name(port int32) string {
	p := &n.Ports[port]
	return n.Names[p.From] + "->" + n.Names[p.To] + n.number(port)
}

// Which returns the number that the name of a link ends in, as in "#2", empty when
// the link is the only one between its nodes.
func (n *Net) Which(link int32) string {
	from := n.Links[link].A
	for i := n.First[from]; i < n.First[from+1]; i++ {
		if n.Ports[i].Link == link {
			return n.number(i)
		}
	}
	return ""
}

// number returns what tells a port from others between the same nodes.
func (n *Net) number(port int32) string {
	p := &n.Ports[port]
	number, all := 0, 0
	for i := n.First[p.From]; i < n.First[p.From+1]; i++ {
		if n.Ports[i].To != p.To {
			continue
		}
		if all++; i <= port {
			number++
		}
	}
	if all == 1 {
		return ""
	}
	return "#" + strconv.Itoa(number)
}

// FindLink returns the link of that name, its two ends joined by "-" in either order; of several between the same nodes
// the name ends in their number, as in "tor0-agg1#2". It errors when there is none, and when there are several and no
// number says which.
func (g *Graph) FindLink(name string) (int32, error) {
	all := func(name string) (out []int32) {
		for i, l := range g.Links {
			a, b := g.Names[l.A], g.Names[l.B]
			if name == a+"-"+b || name == b+"-"+a {
				out = append(out, int32(i))
			}
		}
		return out
	}
	like := g.Names[g.Links[0].A] + "-" + g.Names[g.Links[0].B]
	return find("link", name, like, all)
}

// FindPort returns the port of that name, as in "tor0->agg1", or "tor0->agg1#2" of several; it errors when there is
// none, and when there are several and no number says which.
func (n *Net) FindPort(name string) (int32, error) {
	all := func(name string) (out []int32) {
		for i := range n.Ports {
			if p := &n.Ports[i]; n.Names[p.From]+"->"+n.Names[p.To] == name {
				out = append(out, int32(i))
			}
		}
		return out
	}
	return find("port", name, n.Name(0), all)
}

// find returns what a name stands for; all are the candidates for the name without its number.
func find(what, name, like string, all func(string) []int32) (int32, error) {
	switch one := all(name); {
	case len(one) == 1:
		return one[0], nil
	case len(one) > 1:
		return 0, fmt.Errorf("%s %q: there are %d of that name; say which, from %s#1 to %s#%d", what, name, len(one),
			name, name, len(one))
	}
	if at := strings.LastIndexByte(name, '#'); at >= 0 {
		some := all(name[:at])
		if k, err := strconv.Atoi(name[at+1:]); err == nil && k >= 1 && k <= len(some) && strconv.Itoa(k) == name[at+1:] {
			return some[k-1], nil
		}
	}
	return 0, fmt.Errorf("%s %q: no such %s; names are like %s", what, name, what, like)
}
