package fabricplan

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/cosim/loop"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/series"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

// Watching is what to look at while a plan runs.
type Watching struct {
	// Progress gets the sum over all seeds, and the time that the seed which moved last has reached.
	Progress func(sum transport.Progress)

	Every    units.Picos             // between two samples of the queues of the first seed; 0 for none
	Tap      func(ev *cc.Event) bool // sees the first seed; nil for none
	Captures bool                    // write the captures of the plan, of the first seed
	Series   *series.Recorder        // of the first seed; nil for none
	Threads  int                     // that simulate one seed with pods = on, 0 for all processors
}

// Run runs every seed under one congestion control, and returns the results in the order of the seeds. Captures appear
// only when every run succeeded.
func (p *Plan) Run(ctx context.Context, control string, w Watching) (results []*result.Result, err error) {
	spec := p.Spec
	if spec.CC != control && !(spec.CC == "" && control == "nscc") {
		spec.CC = control
	}
	var captures []*captureFile
	defer func() {
		for _, c := range captures {
			c.drop()
		}
	}()
	progress := w.summed()
	threads := w.Threads
	if threads == 0 && len(p.Seeds) > 1 {
		threads = 1 // the seeds run side by side
	}
	opts := map[uint64][]fabric.Option{}
	for i, seed := range p.Seeds {
		list := []fabric.Option{fabric.WithThreads(threads)}
		if p.Flows != nil {
			list = append(list, fabric.WithMessages(p.Flows))
		}
		if progress != nil {
			list = append(list, fabric.WithProgress(func(pr transport.Progress) { progress(seed, pr) }))
		}
		if i == 0 {
			if w.Every > 0 {
				list = append(list, fabric.WithDepth(w.Every, p.Ports...))
			}
			if tap := w.tap(); tap != nil {
				list = append(list, fabric.WithTap(tap))
			}
			var ports []int32
			if w.Captures && len(p.Captures) > 0 {
				if ports, captures, err = openCaptures(p); err != nil {
					return nil, err
				}
			}
			if opt := portTaps(captures, ports, w.Series); opt != nil {
				list = append(list, opt)
			}
		}
		opts[seed] = list
	}
	results, err = loop.RunSeeds(ctx, spec, p.Seeds,
		func(seed uint64) (loop.Config, []fabric.Option) { return p.Loop, opts[seed] })
	if err != nil {
		return nil, withPath(err)
	}
	for _, c := range captures {
		if err := c.keep(); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// tap returns what sees the events of contexts, nil for nothing.
func (w *Watching) tap() func(*cc.Event) bool {
	if w.Series == nil {
		return w.Tap
	}
	return func(ev *cc.Event) bool {
		more := w.Tap == nil || w.Tap(ev)
		return w.Series.Tap(ev) && more
	}
}

// Recorder returns a recorder of the plan's ports and of flows, by number.
// Without flows, slowest asks for the slowest one.
func (p *Plan) Recorder(every units.Picos, flows []int32, slowest bool) (*series.Recorder, error) {
	layout, err := p.Spec.Layout()
	if err != nil {
		return nil, err
	}
	if len(flows) == 0 && slowest {
		return series.NewSlowest(layout, every, p.Ports), nil
	}
	return series.NewRecorder(layout, every, flows, p.Ports), nil
}

// summed returns a function that adds up the progress of all seeds, nil if none is wanted.
func (w *Watching) summed() func(seed uint64, pr transport.Progress) {
	if w.Progress == nil {
		return nil
	}
	var mu sync.Mutex
	at := map[uint64]transport.Progress{}
	return func(seed uint64, pr transport.Progress) {
		mu.Lock()
		defer mu.Unlock()
		at[seed] = pr
		sum := transport.Progress{Time: pr.Time}
		// Every run goes into the sum, so their order does not matter.
		for _, x := range at {
			sum.Done, sum.Flows, sum.PktHops = sum.Done+x.Done, sum.Flows+x.Flows, sum.PktHops+x.PktHops
		}
		w.Progress(sum)
	}
}

// withPath names the setting behind the error of a file that is read with the run.
func withPath(err error) error {
	for prefix, path := range map[string]string{"connection matrix": "matrix.file", "flow-size table": "poisson.cdf"} {
		if strings.Contains(err.Error(), prefix) {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return err
}
