package fabricplan

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/cosim/network/loop"
	"github.com/goldwire/goldwire/golden/cc"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/result"
	"github.com/goldwire/goldwire/golden/fabric/series"
	"github.com/goldwire/goldwire/golden/fabric/transport"
	"github.com/goldwire/goldwire/golden/units"
)

// Watching is what to look at while a plan runs.
type Watching struct {
	// Progress gets the sum over all seeds, and the time that the seed which moved last has reached.
	Progress func(sum transport.Progress)

	Every    units.Picos // between two samples of the queues of the first seed; 0 for none
	Captures bool        // write the captures of the plan, of the first seed
	Threads  int         // that simulate one seed with pods = on, 0 for all processors

	// First returns what sees the first seed; nil for nothing. It is called for each attempt at the run: what an attempt
	// that ends early has seen must not stay.
	First func() (Eyes, error)
}

// Eyes are what sees an attempt at a run.
type Eyes struct {
	Tap    func(ev *cc.Event) bool // nil for none
	Series *series.Recorder        // nil for none
}

// Run runs every seed under one congestion control, and returns the results, and what the devices did, in
// the order of the seeds. Captures appear only when every run succeeded.
func (p *Plan) Run(ctx context.Context, control string, w Watching) ([]*result.Result, []loop.Played, error) {
	spec := p.Spec
	if cmp.Or(spec.CC, "nscc") != control {
		spec.CC = control
	}
	a := attempts{plan: p, watch: w, progress: w.summed(), threads: w.Threads}
	if a.threads == 0 && len(p.Seeds) > 1 {
		a.threads = 1 // the seeds run side by side
	}
	defer a.drop()
	results, played, err := loop.RunSeeds(ctx, p.Loop, spec, p.Seeds, func(seed uint64) loop.Options {
		return func() ([]fabric.Option, error) { return a.options(seed) }
	})
	if err != nil {
		return nil, nil, withPath(err)
	}
	for _, c := range a.captures {
		if err := c.keep(); err != nil {
			return nil, nil, err
		}
	}
	return results, played, nil
}

// attempts makes the options of the runs of a plan, anew for each attempt at one of them.
type attempts struct {
	plan     *Plan
	watch    Watching
	progress func(seed uint64, pr transport.Progress)
	threads  int
	captures []*captureFile // of the latest attempt at the first seed
}

func (a *attempts) drop() {
	for _, c := range a.captures {
		c.drop()
	}
	a.captures = nil
}

// options returns the options of the next attempt at a seed.
func (a *attempts) options(seed uint64) ([]fabric.Option, error) {
	list := []fabric.Option{fabric.WithThreads(a.threads)}
	if a.plan.Flows != nil {
		list = append(list, fabric.WithMessages(a.plan.Flows))
	}
	if a.progress != nil {
		list = append(list, fabric.WithProgress(func(pr transport.Progress) { a.progress(seed, pr) }))
	}
	if seed != a.plan.Seeds[0] {
		return list, nil
	}
	return a.watched(list)
}

// watched adds what sees the first seed.
func (a *attempts) watched(list []fabric.Option) ([]fabric.Option, error) {
	var eyes Eyes
	var err error
	if a.watch.First != nil {
		if eyes, err = a.watch.First(); err != nil {
			return nil, err
		}
	}
	if a.watch.Every > 0 {
		list = append(list, fabric.WithDepth(a.watch.Every, a.plan.Ports...))
	}
	if tap := eyes.tap(); tap != nil {
		list = append(list, fabric.WithTap(tap))
	}
	var ports []int32
	if a.watch.Captures && len(a.plan.Captures) > 0 {
		a.drop()
		if ports, a.captures, err = openCaptures(a.plan); err != nil {
			return nil, err
		}
	}
	if opt := portTaps(a.captures, ports, eyes.Series); opt != nil {
		list = append(list, opt)
	}
	return list, nil
}

// tap returns what sees the events of contexts, nil for nothing.
func (e *Eyes) tap() func(*cc.Event) bool {
	if e.Series == nil {
		return e.Tap
	}
	return func(ev *cc.Event) bool {
		more := e.Tap == nil || e.Tap(ev)
		return e.Series.Tap(ev) && more
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

// captureFile is a capture on its way into a file that appears when it is whole.
type captureFile struct {
	path string
	file *os.File
	buf  *bufio.Writer
	w    *capture.Writer
}

// openCaptures opens the captures of a plan. It returns the files and the ports that they need.
func openCaptures(p *Plan) ([]int32, []*captureFile, error) {
	layout, err := p.Spec.Layout()
	if err != nil {
		return nil, nil, err
	}
	var files []*captureFile
	var ports []int32
	for _, c := range p.Captures {
		f, err := os.CreateTemp(filepath.Dir(c.File), ".goldwire-*.pcapng")
		if err != nil {
			return nil, files, fmt.Errorf("--pcap %s: %w", c.File, err)
		}
		pf := &captureFile{path: c.File, file: f, buf: bufio.NewWriterSize(f, 1<<18)}
		files = append(files, pf)
		if pf.w, err = capture.NewWriter(pf.buf, p.Headers, layout, c.ports); err != nil {
			return nil, files, fmt.Errorf("--pcap %s: %w", c.File, err)
		}
		ports = append(ports, c.ports...)
	}
	return ports, files, nil
}

// portTaps returns the option that fills captures and a recorder of series; nil for neither.
func portTaps(files []*captureFile, ports []int32, rec *series.Recorder) fabric.Option {
	if rec != nil {
		ports = append(slices.Clone(ports), rec.Ports()...)
	}
	if len(ports) == 0 { // no port would mean all
		return nil
	}
	return fabric.WithPortTap(func(ev *net.PortEvent) {
		for _, f := range files {
			f.w.Tap(ev)
		}
		if rec != nil {
			rec.PortTap(ev)
		}
	}, ports...)
}

func (f *captureFile) keep() error {
	err := errors.Join(f.w.Flush(), f.buf.Flush(), f.file.Chmod(0o644), f.file.Close())
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		return fmt.Errorf("--pcap %s: %w", f.path, err)
	}
	f.file = nil
	return nil
}

func (f *captureFile) drop() {
	if f.file != nil {
		f.file.Close()
		os.Remove(f.file.Name())
	}
}
