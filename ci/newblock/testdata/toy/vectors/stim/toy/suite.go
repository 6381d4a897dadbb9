// Package toy has the sources of the block toy: scenarios as text, and random events around the limit and the largest
// count.
//
//	src, err := toy.Suite.Open("random", stim.Options{Seed: 1, Events: 1000})
package toy

import (
	"embed"
	"sync"

	"github.com/goldwire/goldwire/vectors/event/toy"
	"github.com/goldwire/goldwire/vectors/stim"
	"github.com/goldwire/goldwire/vectors/stim/casefile"
)

//go:embed directed/*.txt
var files embed.FS

var language = casefile.Language{Block: toy.Schema(), Answers: map[string]string{"ev": "rsp"}}

var scenarios = sync.OnceValue(func() []casefile.Scenario {
	all, err := language.Read(files, "directed")
	if err != nil {
		panic(err) // the files are part of the program
	}
	return all
})

func cases() (out []stim.Case) {
	for _, c := range scenarios() {
		out = append(out, stim.Case{Name: c.Name, About: c.About, Write: c.Write})
	}
	return out
}

// Suite lists the sources of toy.
var Suite = stim.Suite{Schema: toy.Schema(), Sources: []stim.Entry{
	stim.Directed(toy.Schema(), cases),
	stim.RandomScript(toy.Schema(), random),
}}

// random writes an episode of additions around one limit, with occasional clears.
func random(s *stim.Script) {
	r := &s.Rand
	s.DrawDrive(1, 1, 1)
	put := func(k toy.Kind, n int) { toy.PackEvent(&toy.Event{Kind: k, Len: uint16(n)}, s.Put(0, 0)) }
	limit := stim.Pick(r, 0, 1500, 65535, r.N(65536))
	put(toy.KindLimit, limit)
	step := stim.Pick(r, 1, 64, 1500, 30000)
	for n := 20 + r.N(200); n > 0 && !s.Full(); n-- {
		switch r.N(12) {
		case 0:
			put(toy.KindClear, r.N(65536))
		case 1:
			put(toy.KindAdd, max(limit-r.N(3)+1, 0)&0xffff)
		case 2:
			put(toy.KindRead, r.N(65536))
		case 3:
			put(toy.Kind(r.N(8)), r.N(65536))
		default:
			put(toy.KindAdd, r.N(step+1))
		}
	}
	s.AimResets()
}
