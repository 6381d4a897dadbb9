package nic

import (
	"github.com/goldwire/goldwire/vectors/event"
	ps "github.com/goldwire/goldwire/vectors/event/txpdc"
)

type explainer struct {
	tell func(*event.Decision) // nil: nobody asks
}

func (x *explainer) reset()                       {}
func (x *explainer) acted(a *ps.Act)              {}
func (x *explainer) timed()                       {}
func (x *explainer) offered(command bool)         {}
func (x *explainer) settled(o *ordered)           {}
func (x *explainer) accessed()                    {}
func (x *explainer) started(w *writer, p *packet) {}
