package fabricplan

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/goldwire/goldwire/cosim/network/capture"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
	"github.com/goldwire/goldwire/golden/fabric/series"
)

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

// keep gives the capture its name.
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

// drop removes a capture that was not kept.
func (f *captureFile) drop() {
	if f.file != nil {
		f.file.Close()
		os.Remove(f.file.Name())
	}
}
