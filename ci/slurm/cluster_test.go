package slurm_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// cluster is a Slurm with two nodes, on loopback in its own folder.
type cluster struct {
	t       *testing.T
	dir     string
	daemons map[string]*exec.Cmd
	calls   string // file with a line for each call of sbatch
}

// newCluster starts a cluster. Its daemons end with the test, and with the test's process.
func newCluster(t *testing.T) *cluster {
	t.Helper()
	if os.Getenv("GOLDWIRE_SLURM") == "" {
		t.Skip("it starts the daemons of Slurm as root: set GOLDWIRE_SLURM=1, or run make slurm-test")
	}
	require.Zero(t, os.Getuid(), "the daemons of Slurm need root")
	dir, err := os.MkdirTemp("", "goldwire-slurm") // short: it holds a socket
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	c := &cluster{t: t, dir: dir, daemons: map[string]*exec.Cmd{}, calls: filepath.Join(dir, "calls")}
	t.Cleanup(func() {
		c.stop()
		if t.Failed() {
			t.Log("kept: " + dir)
			return
		}
		require.NoError(t, os.RemoveAll(dir))
	})
	for _, name := range []string{"munge", "state", "n1", "n2", "bin"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	key := make([]byte, 128)
	f, err := os.Open("/dev/urandom")
	require.NoError(t, err)
	_, err = f.Read(key)
	require.NoError(t, err)
	f.Close()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "munge", "key"), key, 0o400))
	c.configure()
	t.Setenv("SLURM_CONF", filepath.Join(dir, "slurm.conf"))
	real, err := exec.LookPath("sbatch")
	require.NoError(t, err, "install Slurm with ci/tools/install.sh --slurm")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bin", "sbatch"),
		[]byte("#!/bin/sh\necho sbatch \"$@\" >>"+c.calls+"\nexec "+real+" \"$@\"\n"), 0o755))
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH")+":/usr/sbin")

	m := filepath.Join(dir, "munge")
	c.start("munged", "--foreground", "--socket="+dir+"/munge.sock", "--key-file="+m+"/key", "--pid-file="+m+"/pid",
		"--log-file="+m+"/log", "--seed-file="+m+"/seed")
	c.wait("munge answers", time.Minute, func() bool { return c.ok("munge", "-n", "--socket="+dir+"/munge.sock") })
	c.start("slurmctld", "-D")
	c.node("n1")
	c.node("n2")
	c.wait("both nodes are idle", time.Minute, func() bool { return c.idle() == "idle\nidle\n" })
	return c
}

func (c *cluster) idle() string {
	out, _ := exec.Command("sinfo", "--noheader", "--Node", "--format=%T").Output()
	return string(out)
}

// configure writes slurm.conf. A node has 8 processors, so that jobs that sleep do not wait for each other.
func (c *cluster) configure() {
	host, err := os.Hostname()
	require.NoError(c.t, err)
	host, _, _ = strings.Cut(host, ".")
	port := make([]int, 3)
	for i := range port {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(c.t, err)
		defer l.Close()
		port[i] = l.Addr().(*net.TCPAddr).Port
	}
	// The default asks systemd for a control group; only newer versions can do without any.
	cgroup := "CgroupPlugin=autodetect\nIgnoreSystemd=yes\n"
	var year int
	version, err := exec.Command("slurmd", "-V").Output() // slurm-wlm 22.05.8, slurm 24.11.5
	require.NoError(c.t, err)
	_, err = fmt.Sscanf(strings.Fields(string(version))[1], "%d.", &year)
	require.NoError(c.t, err, "%s", version)
	if year >= 24 {
		cgroup = "CgroupPlugin=disabled\n"
	}
	require.NoError(c.t, os.WriteFile(filepath.Join(c.dir, "cgroup.conf"), []byte(cgroup), 0o644))
	require.NoError(c.t, os.WriteFile(filepath.Join(c.dir, "slurm.conf"), []byte(strings.NewReplacer("DIR", c.dir, "HOST",
		host, "PORT0", strconv.Itoa(port[0]), "PORT1", strconv.Itoa(port[1]), "PORT2", strconv.Itoa(port[2])).Replace(
		`ClusterName=goldwire
SlurmctldHost=HOST(127.0.0.1)
SlurmctldPort=PORT0
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=DIR/munge.sock
CredType=cred/munge
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/%n
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/%n.pid
SlurmctldLogFile=DIR/slurmctld.log
SlurmdLogFile=DIR/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=400
SchedulerParameters=batch_sched_delay=0,sched_interval=2
ReturnToService=2
KillWait=2
SlurmdTimeout=8
MessageTimeout=5
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SlurmdParameters=config_overrides
NodeName=n1 NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORT1 CPUs=8 RealMemory=16000
NodeName=n2 NodeHostname=HOST NodeAddr=127.0.0.1 Port=PORT2 CPUs=8 RealMemory=16000
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP LLN=YES
`)), 0o644))
}

// node starts the daemon of a node on its own core, which its jobs inherit.
func (c *cluster) node(name string) {
	core := (int(name[1]) - '1') % runtime.NumCPU()
	c.start(name, "-c", strconv.Itoa(core), "slurmd", "-D", "-N", name)
}

// start starts a daemon, by its name or, for a node, on a core.
func (c *cluster) start(name string, args ...string) {
	program := name
	if args[0] == "-c" {
		program = "taskset"
	}
	log, err := os.Create(filepath.Join(c.dir, name+".out"))
	require.NoError(c.t, err)
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() { // the thread that starts a process must outlive it
		runtime.LockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
		log.Close()
	}()
	require.NoError(c.t, <-started)
	c.daemons[name] = cmd
}

// stop cancels all jobs and ends the daemons.
func (c *cluster) stop() {
	if c.daemons["slurmctld"] != nil {
		_ = exec.Command("scancel", "--user=root").Run()
		for range 50 {
			if out, _ := exec.Command("squeue", "--noheader").Output(); len(out) == 0 {
				break
			}
			time.Sleep(200 * time.Millisecond)
		}
	}
	for _, name := range []string{"n1", "n2", "slurmctld", "munged"} {
		if d := c.daemons[name]; d != nil {
			_ = d.Process.Signal(syscall.SIGTERM)
			for i := 0; d.Process.Signal(syscall.Signal(0)) == nil; i++ {
				if i == 50 {
					_ = d.Process.Kill()
				}
				time.Sleep(100 * time.Millisecond)
			}
		}
	}
	for _, pid := range c.processes("SLURM_CONF=" + filepath.Join(c.dir, "slurm.conf")) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// processes returns the processes of jobs of this cluster whose environment holds all of the words.
func (c *cluster) processes(words ...string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		env := "\x00" + string(text)
		all := strings.Contains(env, "\x00SLURM_JOB_ID=") && strings.Contains(env, c.dir)
		for _, w := range words {
			all = all && strings.Contains(env, "\x00"+w+"\x00")
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if all && pid != os.Getpid() {
			pids = append(pids, pid)
		}
	}
	return pids
}

// lose ends a node as a power failure does: its daemon, the keepers of its jobs, and the jobs.
func (c *cluster) lose(name string) {
	d := c.daemons[name]
	require.NoError(c.t, d.Process.Kill())
	jobs := c.processes("SLURMD_NODENAME=" + name)
	for _, pid := range jobs { // the keepers first: none may report the end of its job
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil {
			_, rest, _ := strings.Cut(string(text), ") ")
			parent, _ := strconv.Atoi(strings.Fields(rest)[1])
			if exe, _ := os.Readlink(fmt.Sprintf("/proc/%d/exe", parent)); strings.HasPrefix(filepath.Base(exe), "slurmstepd") {
				_ = syscall.Kill(parent, syscall.SIGKILL)
			}
		}
	}
	for _, pid := range jobs {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (c *cluster) ok(name string, args ...string) bool {
	return exec.Command(name, args...).Run() == nil
}

// wait waits until holds returns true.
func (c *cluster) wait(what string, most time.Duration, holds func() bool) {
	c.t.Helper()
	for begin := time.Now(); !holds(); time.Sleep(200 * time.Millisecond) {
		if time.Since(begin) > most {
			out, _ := exec.Command("squeue", "--array", "--states=all").Output()
			c.t.Fatalf("it did not come to pass that %s\n%s", what, out)
		}
	}
}

// submissions returns the number of calls of sbatch.
func (c *cluster) submissions() int {
	text, _ := os.ReadFile(c.calls)
	return strings.Count(string(text), "\n")
}
