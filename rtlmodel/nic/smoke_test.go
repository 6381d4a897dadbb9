package nic

import (
	"fmt"
	"testing"

	pc "github.com/goldwire/goldwire/vectors/event/ccc"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

func TestSmoke(t *testing.T) {
	b := newBench(t, DefaultSpec())
	b.address(1, v4(0, false, 1, 2), form(34, false, false, 0x1234))
	b.must(window(pc.KindOpen, 1))
	b.must(source(ps.KindOpen, 5, 100))
	b.must(source(ps.KindMessage, 5, 100))
	b.idle(200)
	f, x := b.packets()
	for i := range f {
		fmt.Printf("%x\n%v\n", f[i], x[i])
	}
	for _, n := range b.notes {
		fmt.Printf("%+v\n", n)
	}
}
