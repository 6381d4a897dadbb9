package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/bridge/client"
	"github.com/goldwire/goldwire/cosim/device"
)

// cpuReps are the repetitions of the native replay whose processor time is taken. Reading the file, hundreds of
// megabytes, takes as long as one of them and scatters: with two, cpu_ratio came out three times too large.
const cpuReps = 8

// processorTime returns the time that a process has run on a processor, ours for pid 0.
func processorTime(pid int) (time.Duration, error) {
	clock := int32(unix.CLOCK_PROCESS_CPUTIME_ID)
	if pid != 0 {
		const sched = 2 // CPUCLOCK_SCHED: the scheduler's count, in nanoseconds
		clock = int32(^pid)<<3 | sched
	}
	var t unix.Timespec
	if err := unix.ClockGettime(clock, &t); err != nil {
		return 0, fmt.Errorf("processor time of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// bothTimes returns the processor time of this process and the device together: what a run costs where it has one core.
func bothTimes(dev *device.Device) (time.Duration, error) {
	ours, err := processorTime(0)
	if err != nil {
		return 0, err
	}
	theirs, err := processorTime(dev.Session.PID())
	return ours + theirs, err
}

// nativeTime returns the processor time of one native replay of everything recorded. The first request brings the file
// into memory; the time of the second, which reads and plays it once, is taken off that of the third.
func (b *benchmark) nativeTime(dev *device.Device) (time.Duration, error) {
	var took [3]time.Duration
	for i, reps := range []int{1, 1, 1 + cpuReps} {
		before, err := processorTime(dev.Session.PID())
		if err != nil {
			return 0, err
		}
		_, err = b.replay(dev, reps)
		after, timeErr := processorTime(dev.Session.PID())
		if err := errors.Join(err, timeErr); err != nil {
			return 0, err
		}
		took[i] = after - before
	}
	return (took[2] - took[1]) / cpuReps, nil
}

// cpu measures what a compared cycle costs in processor time of both processes, against the native replay.
func (b *benchmark) cpu(ctx context.Context) error {
	native, err := with(ctx, b, client.Shm, func(dev *device.Device) (time.Duration, error) {
		if err := client.WriteVectors(b.file, dev.Bin, b.in, b.want); err != nil {
			return 0, err
		}
		return b.nativeTime(dev)
	})
	if err != nil {
		return err
	}
	cosim, err := with(ctx, b, client.Shm, func(dev *device.Device) (time.Duration, error) {
		before, err := bothTimes(dev)
		if err != nil {
			return 0, err
		}
		if _, err := b.play(ctx, dev, client.Shm); err != nil {
			return 0, err
		}
		after, err := bothTimes(dev)
		return after - before, err
	})
	if err != nil {
		return err
	}
	if native <= 0 {
		return errors.New("bench: the native replay took no processor time: the clock of processes does not work here")
	}
	b.add("cpu_ratio", "processor time of a co-simulated cycle over shm, both processes, against native",
		float64(cosim)/float64(native))
	return nil
}
