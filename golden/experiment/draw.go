package experiment

import (
	"hash/fnv"
	"math"
	"math/rand/v2"

	"github.com/goldwire/goldwire/golden/fabric/traffic"
)

// draws returns the random numbers of a kind of flows: every variant of an experiment meets the same.
func draws(seed uint64, kind string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(kind))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// permutation returns a permutation among n random hosts.
func permutation(seed uint64, hosts, n int, bytes int64) []traffic.Message {
	r := draws(seed, "permutation")
	order := r.Perm(hosts)[:n]
	var out []traffic.Message
	for i, d := range traffic.Derangement(r, n) {
		out = append(out, traffic.Message{Src: int32(order[i]), Dst: int32(order[d]), Bytes: bytes, Conn: int32(i)})
	}
	return out
}

// incast returns flows from n random hosts to host 0. The hosts of a small one are among those of a larger.
func incast(seed uint64, hosts, n int, bytes int64) []traffic.Message {
	var out []traffic.Message
	for i, h := range draws(seed, "incast").Perm(hosts - 1)[:n] {
		out = append(out, traffic.Message{Src: int32(h + 1), Dst: 0, Bytes: bytes, Conn: int32(i)})
	}
	return out
}

// mixed returns n random pairs with sizes whose logarithm is uniform.
func mixed(seed uint64, hosts, n int, low, high float64) []traffic.Message {
	r := draws(seed, "mixed")
	var out []traffic.Message
	for i := range n {
		src := r.IntN(hosts)
		dst := (src + 1 + r.IntN(hosts-1)) % hosts
		bytes := int64(low * math.Pow(high/low, r.Float64()))
		out = append(out, traffic.Message{Src: int32(src), Dst: int32(dst), Bytes: bytes, Conn: int32(i)})
	}
	return out
}
