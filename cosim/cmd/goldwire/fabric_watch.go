package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/goldwire/goldwire/cosim/capture"
	"github.com/goldwire/goldwire/golden/fabric"
	"github.com/goldwire/goldwire/golden/fabric/net"
)

// pcapFile is a capture on its way into a file that appears when it is whole.
type pcapFile struct {
	path string
	file *os.File
	buf  *bufio.Writer
	w    *capture.Writer
}

// openPcaps opens the captures of a plan and returns the option that fills them.
func openPcaps(p *fabricPlan) (fabric.Option, []*pcapFile, error) {
	layout, err := p.spec.Layout()
	if err != nil {
		return nil, nil, err
	}
	var files []*pcapFile
	var ports []int32
	for _, c := range p.pcaps {
		f, err := os.CreateTemp(filepath.Dir(c.file), ".goldwire-*.pcapng")
		if err != nil {
			return nil, files, fmt.Errorf("--pcap %s: %w", c.file, err)
		}
		pf := &pcapFile{path: c.file, file: f, buf: bufio.NewWriterSize(f, 1<<18)}
		files = append(files, pf)
		if pf.w, err = capture.NewWriter(pf.buf, p.capture, layout, c.ports); err != nil {
			return nil, files, fmt.Errorf("--pcap %s: %w", c.file, err)
		}
		ports = append(ports, c.ports...)
	}
	return fabric.WithPortTap(func(ev *net.PortEvent) {
		for _, f := range files {
			f.w.Tap(ev)
		}
	}, ports...), files, nil
}

// keep gives the capture its name.
func (f *pcapFile) keep() error {
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
func (f *pcapFile) drop() {
	if f.file != nil {
		f.file.Close()
		os.Remove(f.file.Name())
	}
}
