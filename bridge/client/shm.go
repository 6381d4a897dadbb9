package client

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/goldwire/goldwire/bridge/launch"
	"github.com/goldwire/goldwire/bridge/wire"
)

const (
	shmHeader     = 4096 // bytes ahead of the first area
	shmDevice     = 128  // byte offset of how the DUT waits
	shmClient     = 192  // byte offset of how the client waits, and of how long the DUT spins
	shmAlign      = 4096
	mailboxCycles = 1024 // cycles of one step through the mailbox
	reqWords      = 3    // sequence, cycles and max, until
	rspWords      = 2    // sequence, cycles and status
)

// shm is the file both sides map: the step mailbox and one area per batch.
type shm struct {
	mem              []byte
	dir, path        string // removed once the DUT has mapped it
	reqOff, rspOff   uint64
	inOff, slotBytes uint64 // first batch area; size of one
	wantOff          uint64 // of the expected records in an area

	device, client []uint64 // how each side waits
	req, rsp       []uint64
	seq            uint64
	pace           pace
}

// How a side of the mailbox waits.
const (
	awake     = iota
	onSocket  // it needs a message
	onMailbox // it sleeps on the sequence word of what it waits for
)

// newShm makes the file, takes its memory and maps it. It errors with wire.ErrAddress when there is no room.
func newShm(opt Options, bin *launch.Binary) (*shm, error) {
	m := &shm{pace: newPace(opt.Spin)}
	end := uint64(shmHeader)
	area := func(words int) uint64 {
		off := end
		end += (uint64(words)*8 + shmAlign - 1) / shmAlign * shmAlign
		return off
	}
	m.reqOff = area(reqWords + mailboxCycles*bin.InWords)
	m.rspOff = area(rspWords + mailboxCycles*bin.OutWords)
	m.inOff = end
	area(opt.MaxBatch * bin.InWords)
	m.wantOff = area(opt.MaxBatch*bin.OutWords) - m.inOff
	m.slotBytes = end - m.inOff
	end = m.inOff + uint64(opt.Window)*m.slotBytes
	var err error
	for _, base := range launch.PrivateBases() {
		if err = m.create(base, int64(end)); err == nil {
			m.device, m.client = m.words(shmDevice, 1), m.words(shmClient, 2)
			m.req = m.words(m.reqOff, reqWords+mailboxCycles*bin.InWords)
			m.rsp = m.words(m.rspOff, rspWords+mailboxCycles*bin.OutWords)
			m.client[1] = uint64(m.pace.spin())
			return m, nil
		}
	}
	if l := launch.LimitError(err, ""); l != nil {
		l.What = fmt.Sprintf("shared memory of %d bytes: %s", end, l.What)
		return nil, l
	}
	return nil, &wire.Error{Kind: wire.ErrAddress, What: fmt.Sprintf("shared memory of %d bytes", end), Err: err,
		Mend: "free space in /dev/shm or TMPDIR, or use the unix transport"}
}

// create makes a file of mode 0600 in a private directory under base. Its space is taken now, because
// touching a page that has none would end the process.
func (m *shm) create(base string, size int64) (err error) {
	if m.dir, err = launch.PrivateDirIn(base); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			m.unlink()
		}
	}()
	m.path = filepath.Join(m.dir, "dut.shm")
	f, err := os.OpenFile(m.path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	if err = unix.Fallocate(int(f.Fd()), 0, 0, size); err != nil {
		return fmt.Errorf("allocate %s: %w", m.path, err)
	}
	m.mem, err = unix.Mmap(int(f.Fd()), 0, int(size), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED|unix.MAP_POPULATE)
	return err
}

// unlink removes the file's name; the mappings live on.
func (m *shm) unlink() { os.RemoveAll(m.dir) }

func (m *shm) close() {
	if m.mem != nil {
		_ = unix.Munmap(m.mem) // fails only for an address that is not a mapping
		m.mem, m.device, m.client, m.req, m.rsp = nil, nil, nil, nil, nil
	}
	m.unlink()
}

// words returns n words of the mapping as numbers.
func (m *shm) words(off uint64, n int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(&m.mem[off])), n)
}

// describe tells the DUT where everything is.
func (m *shm) describe(c *wire.Configure) {
	c.Shm, c.ShmLen = m.path, uint64(len(m.mem))
	c.ReqOff, c.RspOff, c.MbxCyc = m.reqOff, m.rspOff, mailboxCycles
}

// place gives batch i its area.
func (m *shm) place(b *Batch, i int) {
	b.inOff = m.inOff + uint64(i)*m.slotBytes
	b.wantOff = b.inOff + m.wantOff
	b.in = m.words(b.inOff, int(m.wantOff)/8)
	b.want = m.words(b.wantOff, int(m.slotBytes-m.wantOff)/8)
}

// post puts a step request into the mailbox, and wakes a DUT that sleeps on it. It reports whether the DUT waits on its
// socket and needs a doorbell.
func (m *shm) post(in []uint64, cycles, limit int, until uint64) (doorbell bool) {
	copy(m.req[reqWords:], in)
	m.req[1] = uint64(cycles) | uint64(limit)<<32
	m.req[2] = until
	m.seq++
	// The sequence word goes last and with full ordering against the load: the DUT announces sleep first and
	// looks for a request second, so one of the two sees the other.
	atomic.StoreUint64(&m.req[0], m.seq)
	how := atomic.LoadUint64(&m.device[0])
	if how == onMailbox {
		wakeOn(&m.req[0])
	}
	return how == onSocket
}

// answered reports whether the request posted last has its answer.
func (m *shm) answered() bool { return atomic.LoadUint64(&m.rsp[0]) == m.seq }

// aloneShare is the share of the spin time, one in so many, in which a spin keeps its processor: a DUT that has its own
// answers in microseconds, and a process that got this one would keep it for milliseconds. After that others get a
// chance: the DUT may need this very processor.
const aloneShare = 20

// unwatched is for how long a step is not worth watching.
const unwatched = 4 * time.Millisecond

// await waits for the answer for a few milliseconds, spinning or asleep, whichever pays, and reports whether it came.
func (m *shm) await() bool {
	if m.look() { // most answers come before the clock is read
		return m.adapt(0, true)
	}
	start, longest := time.Now(), m.pace.spin()
	for spent := time.Duration(0); spent < longest; spent = time.Since(start) {
		if spent >= longest/aloneShare {
			yield()
		}
		if m.look() {
			return m.adapt(time.Since(start), true)
		}
	}
	came := m.sleep(unwatched)
	return m.adapt(time.Since(start), came)
}

// adapt notes how long a step waited, and tells the DUT when waits should be of the other kind.
func (m *shm) adapt(d time.Duration, came bool) bool {
	if m.pace.waited(d) {
		atomic.StoreUint64(&m.client[1], uint64(m.pace.spin()))
	}
	return came
}

// sleep waits for the answer for up to limit without a processor, which the DUT may need, and reports whether it came.
func (m *shm) sleep(limit time.Duration) bool {
	atomic.StoreUint64(&m.client[0], onMailbox)
	if seen := atomic.LoadUint64(&m.rsp[0]); seen != m.seq {
		sleepOn(&m.rsp[0], seen, limit)
	}
	atomic.StoreUint64(&m.client[0], awake)
	return m.answered()
}

// look looks for the answer for about a microsecond and reports whether it came.
func (m *shm) look() bool {
	for range 32 {
		if m.answered() {
			return true
		}
		pause()
	}
	return false
}

// answer returns the cycles run and whether the RTL stopped.
func (m *shm) answer() (cycles int, stopped bool) {
	return int(m.rsp[1] & 0xffffffff), m.rsp[1]>>32 != 0
}
