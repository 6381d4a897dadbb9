package campaign_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/ci/campaign"
)

// manage is a manager in its own process, which can be killed: it runs the campaign of the head in dir.
func manage(dir string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	h, err := campaign.ReadHead(filepath.Join(dir, "head"))
	if err == nil {
		os.Setenv("FAKE_GOLDWIRE", filepath.Join(dir, "begun"))
		_, err = campaign.Run(ctx, campaign.Config{Root: filepath.Join(dir, "root"), Program: "/proc/self/exe",
			Dir: filepath.Join(dir, "disk", "campaign"), Head: h, Slots: 2, Note: func(string) {}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// Stopped at random moments by a signal, a kill or a full disk, a campaign continues with exactly the runs that have no
// record, and ends with the same summary as one that was not stopped.
func TestStops(t *testing.T) {
	stops := 6
	if os.Getenv("GOLDWIRE_LONG") != "" {
		stops = 20
	}
	dir, disk := t.TempDir(), ""
	root := filepath.Join(dir, "root")
	require.NoError(t, os.MkdirAll(filepath.Join(root, "hdl"), 0o777))
	h := head(t, root, 20*stops, "slow")
	c, _ := config(t, root, h)
	c.Dir = filepath.Join(dir, "head") // an uninterrupted campaign, whose head the managers use
	c.Program = "/proc/self/exe"
	alone, err := campaign.Run(t.Context(), c)
	require.NoError(t, err)
	require.Equal(t, campaign.Passed, alone.Verdict)

	disk = filepath.Join(dir, "disk")
	require.NoError(t, os.MkdirAll(disk, 0o777))
	small := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=8m") == nil
	if small {
		t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	} else {
		t.Log("no permission to mount a small disk: full disks are not tried")
	}
	records := func() map[string]bool {
		out := map[string]bool{}
		files, _ := os.ReadDir(filepath.Join(disk, "campaign", "records"))
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), ".tmp") {
				out[strings.TrimSuffix(f.Name(), ".json")] = true
			}
		}
		return out
	}
	log := filepath.Join(dir, "begun")
	start := func() *exec.Cmd {
		require.NoError(t, os.RemoveAll(log))
		cmd := exec.Command("/proc/self/exe")
		cmd.Env = append(os.Environ(), "FAKE_GOLDWIRE=", "FAKE_MANAGER="+dir)
		require.NoError(t, cmd.Start())
		return cmd
	}
	settled := func(before map[string]bool) {
		text, _ := os.ReadFile(log)
		for _, id := range strings.Fields(string(text)) {
			require.False(t, before[id], "%s has a record and is run again", id)
		}
		now := records()
		for id := range before {
			require.True(t, now[id], "the record of %s is lost", id)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	filler := filepath.Join(disk, "filler")
	for i := range stops {
		before := records()
		cmd := start()
		time.Sleep(time.Duration(50+r.IntN(400)) * time.Millisecond)
		switch how := i % 3; {
		case how == 0:
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		case how == 1 || !small:
			require.NoError(t, cmd.Process.Kill())
		default:
			fill(filler)
		}
		err := cmd.Wait()
		_ = os.Remove(filler)
		if err == nil {
			t.Logf("stop %d came too late: the campaign had ended", i)
		}
		time.Sleep(100 * time.Millisecond) // children of a killed manager die with it, not earlier
		settled(before)
	}
	before := records()
	cmd := start()
	require.NoError(t, cmd.Wait())
	settled(before)
	require.Len(t, records(), len(h.Runs))
	sum, err := campaign.Merge(filepath.Join(dir, "all"), []string{filepath.Join(disk, "campaign")})
	require.NoError(t, err)
	require.Equal(t, summary(t, alone), summary(t, sum))
}

// fill writes a file until the disk is full.
func fill(path string) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_SYNC, 0o666)
	if err != nil {
		return
	}
	defer f.Close()
	for _, size := range []int{1 << 16, 1 << 10, 1} {
		b := make([]byte, size)
		for err = error(nil); err == nil; {
			_, err = f.Write(b)
		}
	}
	_ = syscall.Fsync(int(f.Fd()))
}
