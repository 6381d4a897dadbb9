package topo

// Routes are the next hops on all shortest paths. Switch w forwards a packet for host h to one of Hops(w, h).
type Routes struct {
	net   *Net
	at    []int32   // switch, counted from 0, at which each host sits; -1 when its link is down
	table [][]int32 // of each switch, by destination switch: its set of ports
	first []int32   // of set i: its ports are ports[first[i]:first[i+1]]
	ports []int32
}

// Routes finds the shortest paths over the links that are not down; a nil slice means that none is.
func (n *Net) Routes(down []bool) *Routes {
	if n.single == nil {
		n.single = make([]int32, len(n.Ports))
		for i := range n.single {
			n.single[i] = int32(i)
		}
	}
	isDown := func(link int32) bool { return down != nil && down[link] }
	hosts, switches := n.Hosts, len(n.Names)-n.Hosts
	r := &Routes{net: n, at: make([]int32, hosts), table: make([][]int32, switches), first: []int32{0, 0}}
	ends := make([]bool, switches)
	for h := range hosts {
		p := n.Ports[h]
		r.at[h] = p.To - int32(hosts)
		ends[r.at[h]] = true
		if isDown(p.Link) {
			r.at[h] = -1
		}
	}
	for w := range r.table {
		r.table[w] = make([]int32, switches) // set 0 is empty
	}
	dist := make([]int32, switches)
	queue := make([]int32, 0, switches)
	for d := range switches {
		if !ends[d] {
			continue
		}
		for i := range dist {
			dist[i] = -1
		}
		dist[d] = 0
		queue = append(queue[:0], int32(d))
		for i := 0; i < len(queue); i++ {
			w := queue[i]
			n.each(w, isDown, func(_, to int32) {
				if dist[to] < 0 {
					dist[to] = dist[w] + 1
					queue = append(queue, to)
				}
			})
		}
		for w := range int32(switches) {
			if dist[w] <= 0 {
				continue
			}
			n.each(w, isDown, func(port, to int32) {
				if dist[to] >= 0 && dist[to] == dist[w]-1 {
					r.ports = append(r.ports, port)
				}
			})
			r.table[w][d] = int32(len(r.first)) - 1
			r.first = append(r.first, int32(len(r.ports)))
		}
	}
	return r
}

// each calls f for every link of switch w that leads to another and is up.
func (n *Net) each(w int32, isDown func(int32) bool, f func(port, to int32)) {
	node := w + int32(n.Hosts)
	for p := n.First[node]; p < n.First[node+1]; p++ {
		if to := n.Ports[p].To - int32(n.Hosts); to >= 0 && !isDown(n.Ports[p].Link) {
			f(p, to)
		}
	}
}

// Hops returns the ports on which switch w, counted from 0, may forward a packet
// for a host: none when there is no way. The slice is the routes' own.
func (r *Routes) Hops(w, host int32) []int32 {
	at := r.at[host]
	switch {
	case at < 0:
		return nil
	case at == w:
		rev := r.net.Ports[host].Rev
		return r.net.single[rev : rev+1]
	}
	set := r.table[w][at]
	return r.ports[r.first[set]:r.first[set+1]]
}
