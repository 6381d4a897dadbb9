package bench

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"

	"github.com/goldwire/goldwire/vectors/export"
	"github.com/goldwire/goldwire/vectors/format"
)

// memory generates a file of that many events, verifies it and exports it in every form, and adds the most live heap
// seen in 16 samples while it is generated and, where the system reports it, the peak memory of the process over all of
// this, both in MB.
func (b *bench) memory(ctx context.Context, events uint64) error {
	spec, err := b.New(events)
	if err != nil {
		return err
	}
	debug.FreeOSMemory()
	forget := ForgetPeak()
	var most, next uint64
	spec.Progress = func(done, _ uint64) {
		if done < next {
			return
		}
		next = done + events/16
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
	}
	path := filepath.Join(b.dir, "memory.gwv")
	defer os.Remove(path)
	if _, err := generate(ctx, path, spec); err != nil {
		return err
	}
	if err := reading(path, func(r *format.Reader) error { return verified(ctx, r, spec.Model) }); err != nil {
		return err
	}
	for _, kind := range export.Kinds {
		if _, err := exported(ctx, path, kind); err != nil {
			return err
		}
	}
	b.add(fmt.Sprintf("vectors_heap_%d_mb", events),
		fmt.Sprintf("most live heap while %d transactions are generated, MB", events), float64(most)/1e6)
	if peak, ok := PeakMemory(); ok && forget {
		b.add(fmt.Sprintf("vectors_rss_%d_mb", events),
			fmt.Sprintf("most memory held while %d are generated, verified and exported, MB", events), peak)
	}
	return nil
}

// ForgetPeak makes the kernel forget the most memory that this process has held; it reports whether it could
// (proc(5), clear_refs).
func ForgetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// PeakMemory returns the most memory, in MB, that this process has held since then.
func PeakMemory() (float64, bool) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, false
	}
	_, rest, ok := bytes.Cut(status, []byte("VmHWM:"))
	fields := bytes.Fields(rest)
	if !ok || len(fields) == 0 {
		return 0, false
	}
	kb, err := strconv.ParseUint(string(fields[0]), 10, 64)
	return float64(kb) * 1024 / 1e6, err == nil
}
