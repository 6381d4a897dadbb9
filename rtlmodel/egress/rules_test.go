package egress

import (
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/egress"
)

// rig is a pair of ports with small limits and short methods for common test steps.
type rig struct {
	*testing.T
	*Queues
}

func newRig(t *testing.T, regs ...uint32) rig {
	r := rig{t, NewQueues(Spec{NumPorts: 2, Depth: 4})}
	r.cfg(port.RegECNMode, 0)
	for i := 0; i < len(regs); i += 2 {
		r.cfg(regs[i], regs[i+1])
	}
	return r
}

func (r rig) do(ev port.Enq) port.Enqr {
	rsp := port.Enqr{Data: 99, Refused: true, Depth: 1} // Enq fills every field
	r.Enq(&ev, &rsp)
	return rsp
}

func (r rig) cfg(addr, data uint32) {
	rsp := r.do(port.Enq{Kind: port.KindCfgWrite, Addr: uint8(addr), Data: data})
	require.Equal(r, port.Enqr{Kind: port.KindCfgWrite}, rsp)
}

func (r rig) load(cls port.Cls, addr int, data uint32) {
	require.False(r, r.do(port.Enq{Kind: port.KindLoad, Cls: cls, Addr: uint8(addr), Data: data}).Refused)
}

func (r rig) read(cls port.Cls, addr int) uint32 {
	rsp := r.do(port.Enq{Kind: port.KindRead, Cls: cls, Addr: uint8(addr)})
	require.False(r, rsp.Refused)
	return rsp.Data
}

// put offers a packet for port 0.
func (r rig) put(cls port.Cls, n uint16) port.Enqr { return r.do(port.Enq{Cls: cls, Len: n}) }

// grant serves port 0.
func (r rig) grant() port.Deqr {
	rsp := port.Deqr{Ce: true, Refused: true, Depth: 1}
	r.Deq(&port.Deq{}, &rsp)
	return rsp
}

func TestAdmission(t *testing.T) {
	type E = port.Enq
	trim := func(n uint16) E { return E{Len: n, Trimmable: true, TrimSize: 100} }
	small := []uint32{port.RegTrim, 1000, port.RegTrimLasthop, 2000,
		port.RegDropLow, 3000, port.RegDropMed, 500, port.RegDropHigh, 400}
	for _, tc := range []struct {
		name string
		regs []uint32
		held []E
		ev   E
		want port.Enqr
	}{
		{"admitted into an empty queue", small, nil, E{Len: 300, Id: 7},
			port.Enqr{Id: 7, Verdict: port.VerdictAdmit, Len: 300, Depth: 300, PortBytes: 300}},
		{"length 0", small, nil, E{}, port.Enqr{Verdict: port.VerdictAdmit}},
		{"exactly TRIM is kept whole", small, []E{{Len: 400}}, trim(600),
			port.Enqr{Verdict: port.VerdictAdmit, Len: 600, Depth: 1000, PortBytes: 1000}},
		{"one more is trimmed", small, []E{{Len: 400}}, trim(601),
			port.Enqr{Verdict: port.VerdictTrim, Cls: 1, Len: 100, Trimmed: true, Depth: 100, PortBytes: 500}},
		{"booked with trim_size even where that is longer", small, []E{{Len: 1000}}, trim(1),
			port.Enqr{Verdict: port.VerdictTrim, Cls: 1, Len: 100, Trimmed: true, Depth: 100, PortBytes: 1100}},
		{"due and untrimmable", small, []E{{Len: 1000}}, E{Len: 1, Trimmable: true},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseUntrimmable, Len: 1, Depth: 1000, PortBytes: 1000}},
		{"not due and untrimmable", small, []E{{Len: 400}}, E{Len: 600, Trimmable: true},
			port.Enqr{Verdict: port.VerdictAdmit, Len: 600, Depth: 1000, PortBytes: 1000}},
		{"UNTRIMMABLE comes before LIMIT", small, []E{{Len: 1000}}, E{Len: 2001, Trimmable: true},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseUntrimmable, Len: 2001, Depth: 1000, PortBytes: 1000}},
		{"a trim_size of one byte", small, []E{{Len: 1000}}, E{Len: 9, Trimmable: true, TrimSize: 1},
			port.Enqr{Verdict: port.VerdictTrim, Cls: 1, Len: 1, Trimmed: true, Depth: 1, PortBytes: 1001}},
		{"exactly TRIM_LASTHOP", small, []E{{Len: 1000}}, E{Len: 1000, Trimmable: true, LastHop: true},
			port.Enqr{Verdict: port.VerdictAdmit, Len: 1000, Depth: 2000, PortBytes: 2000}},
		{"over TRIM_LASTHOP", small, []E{{Len: 1000}}, E{Len: 1001, Trimmable: true, LastHop: true, TrimSize: 100},
			port.Enqr{Verdict: port.VerdictTrim, Cls: 1, Len: 100, Trimmed: true, Depth: 100, PortBytes: 1100}},
		{"not trimmable", small, []E{{Len: 1000}}, E{Len: 2000},
			port.Enqr{Verdict: port.VerdictAdmit, Len: 2000, Depth: 3000, PortBytes: 3000}},
		{"TRIM_EN off", append(small, port.RegTrimEn, 0), []E{{Len: 1000}}, trim(2000),
			port.Enqr{Verdict: port.VerdictAdmit, Len: 2000, Depth: 3000, PortBytes: 3000}},
		{"only the low class is trimmed", append(small, port.RegDropHigh, 9000), nil, E{Cls: 2, Len: 2000, Trimmable: true},
			port.Enqr{Verdict: port.VerdictAdmit, Cls: 2, Len: 2000, Depth: 2000, PortBytes: 2000}},
		{"trimmed elsewhere is not trimmed here", small, nil, E{Cls: 1, Len: 64, Trimmable: true},
			port.Enqr{Verdict: port.VerdictAdmit, Cls: 1, Len: 64, Depth: 64, PortBytes: 64}},
		{"over DROP_LOW", small, []E{{Len: 1000}}, E{Len: 2001},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseLimit, Len: 2001, Depth: 1000, PortBytes: 1000}},
		{"exactly DROP_HIGH", small, nil, E{Cls: 2, Len: 400},
			port.Enqr{Verdict: port.VerdictAdmit, Cls: 2, Len: 400, Depth: 400, PortBytes: 400}},
		{"over DROP_HIGH", small, nil, E{Cls: 2, Len: 401},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseLimit, Cls: 2, Len: 401}},
		{"trimmed, then over DROP_MED", small, []E{{Len: 1000}, {Cls: 1, Len: 401}}, trim(500),
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseLimit, Cls: 1, Len: 100, Trimmed: true, Depth: 401,
				PortBytes: 1401}},
		{"exactly SHARED", append(small, port.RegShared, 1000), []E{{Port: 1, Len: 600}}, E{Len: 400},
			port.Enqr{Verdict: port.VerdictAdmit, Len: 400, Depth: 400, PortBytes: 400}},
		{"over SHARED", append(small, port.RegShared, 1000), []E{{Port: 1, Len: 600}}, E{Len: 401},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseShared, Len: 401}},
		{"LIMIT comes before SHARED", append(small, port.RegShared, 10), nil, E{Cls: 2, Len: 401},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseLimit, Cls: 2, Len: 401}},
		{"the last place", small, []E{{Len: 1}, {Len: 1}, {Len: 1}}, E{Len: 1},
			port.Enqr{Verdict: port.VerdictAdmit, Len: 1, Depth: 4, PortBytes: 4}},
		{"FULL", small, []E{{Len: 1}, {Len: 1}, {Len: 1}, {Len: 1}}, E{Len: 1},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseFull, Len: 1, Depth: 4, PortBytes: 4}},
		{"SHARED comes before FULL", append(small, port.RegShared, 4), []E{{Len: 1}, {Len: 1}, {Len: 1}, {Len: 1}}, E{Len: 1},
			port.Enqr{Verdict: port.VerdictDrop, Cause: port.CauseShared, Len: 1, Depth: 4, PortBytes: 4}},
		{"sums do not wrap", append(small, port.RegDropLow, 1<<32-1, port.RegShared, 1<<32-1), []E{{Len: 65535}},
			E{Len: 65535},
			port.Enqr{Verdict: port.VerdictAdmit, Len: 65535, Depth: 131070, PortBytes: 131070}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, tc.regs...)
			for _, e := range tc.held {
				require.Equal(t, port.VerdictAdmit, r.do(e).Verdict)
			}
			c0, m0 := r.Words(0, 0), r.Words(0, int(tc.want.Cls))
			require.Equal(t, tc.want, r.do(tc.ev))
			c1, m1 := r.Words(0, 0), r.Words(0, int(tc.want.Cls))
			require.Equal(t, tc.want.Trimmed, c1.Trims-c0.Trims == 1)
			require.Equal(t, tc.want.Verdict == port.VerdictDrop, m1.Drops-m0.Drops == 1)
			require.Equal(t, tc.want.Verdict != port.VerdictDrop, m1.EnqPkts-m0.EnqPkts == 1)
			if tc.want.Verdict != port.VerdictDrop {
				require.Equal(t, uint32(tc.want.Len), m1.EnqBytes-m0.EnqBytes)
				held := r.Packets(nil, 0, int(tc.want.Cls))
				require.Equal(t, Descriptor{tc.ev.Id, tc.want.Len, tc.want.Trimmed, tc.ev.LastHop, tc.ev.Ect}, held[len(held)-1])
			}
		})
	}
}

func TestRefused(t *testing.T) {
	for _, tc := range []struct {
		name string
		ev   port.Enq
		ok   bool
	}{
		{"kind 5", port.Enq{Kind: 5}, false},
		{"kind 15", port.Enq{Kind: 15}, false},
		{"register 18", port.Enq{Kind: port.KindCfgWrite, Addr: 18}, true},
		{"register 19", port.Enq{Kind: port.KindCfgWrite, Addr: 19}, false},
		{"register 19, read", port.Enq{Kind: port.KindCfgRead, Addr: 19}, false},
		{"registers have no port and no class", port.Enq{Kind: port.KindCfgRead, Port: 255, Cls: 3}, true},
		{"last port", port.Enq{Port: 1}, true},
		{"port out of range", port.Enq{Port: 2}, false},
		{"class 3", port.Enq{Cls: 3}, false},
		{"READ of a word without class, class 3", port.Enq{Kind: port.KindRead, Addr: 10, Cls: 3}, false},
		{"READ of a word of the block, no such port", port.Enq{Kind: port.KindRead, Addr: 12, Port: 2}, false},
		{"READ 13", port.Enq{Kind: port.KindRead, Addr: 13}, true},
		{"READ 14", port.Enq{Kind: port.KindRead, Addr: 14}, false},
		{"LOAD 0", port.Enq{Kind: port.KindLoad, Addr: 0}, false},
		{"LOAD 1", port.Enq{Kind: port.KindLoad, Addr: 1}, false},
		{"LOAD 2", port.Enq{Kind: port.KindLoad, Addr: 2}, true},
		{"LOAD 9", port.Enq{Kind: port.KindLoad, Addr: 9}, true},
		{"LOAD 10", port.Enq{Kind: port.KindLoad, Addr: 10}, false},
		{"LOAD 11", port.Enq{Kind: port.KindLoad, Addr: 11, Data: 2}, true},
		{"LOAD 11 of pointer 3", port.Enq{Kind: port.KindLoad, Addr: 11, Data: 3}, false},
		{"LOAD 11 looks at two bits", port.Enq{Kind: port.KindLoad, Addr: 11, Data: 0xfffffff7}, false},
		{"LOAD 12", port.Enq{Kind: port.KindLoad, Addr: 12}, false},
		{"LOAD 13", port.Enq{Kind: port.KindLoad, Addr: 13}, true},
		{"LOAD 14", port.Enq{Kind: port.KindLoad, Addr: 14}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t)
			r.put(0, 1000)
			before := [2]any{r.Words(0, 0), r.Config()}
			tc.ev.Id = 5
			got := r.do(tc.ev)
			require.Equal(t, !tc.ok, got.Refused)
			require.Equal(t, uint32(5), got.Id)
			if !tc.ok {
				require.Equal(t, port.Enqr{Kind: tc.ev.Kind, Port: tc.ev.Port, Id: 5, Refused: true}, got)
				require.Equal(t, before, [2]any{r.Words(0, 0), r.Config()})
			}
		})
	}
}

func TestRegistersAndWords(t *testing.T) {
	r := newRig(t)
	for addr, info := range port.RegInfo {
		r.cfg(uint32(addr), 0xFFFFFFFF)
		got := r.do(port.Enq{Kind: port.KindCfgRead, Addr: uint8(addr)})
		require.Equal(t, uint32(1<<info.Width-1), got.Data, info.Name)
	}
	for addr := port.WordEnqPkts; addr <= port.WordMarks; addr++ {
		r.load(1, addr, uint32(1000+addr))
	}
	r.load(1, port.WordDeficit, 0xFF123456)
	for addr := port.WordEnqPkts; addr <= port.WordMarks; addr++ {
		require.Equal(t, uint32(1000+addr), r.read(1, addr))
		require.Zero(t, r.read(0, addr), "another class")
	}
	require.Equal(t, uint32(0x123456), r.read(1, port.WordDeficit))
	r.load(2, port.WordDrrPtr, 0xFFFFFFF2)
	require.Equal(t, uint32(2), r.read(0, port.WordDrrPtr), "the xoff bit is not loaded, the class not used")
	r.load(0, port.WordEnqPkts, 0xFFFFFFFF)
	r.cfg(port.RegTrim, 1<<31)
	r.put(0, 9)
	require.Zero(t, r.read(0, port.WordEnqPkts), "counters wrap")
}

func TestSeed(t *testing.T) {
	r := newRig(t)
	require.Equal(t, uint32(1), r.read(0, port.WordLfsr))
	r.cfg(port.RegSeed, 77)
	require.Equal(t, uint32(77), r.read(0, port.WordLfsr))
	r.load(0, port.WordLfsr, 0)
	require.Equal(t, uint32(1), r.read(0, port.WordLfsr))
	require.Equal(t, uint32(77), r.Config()[port.RegSeed], "LOAD leaves SEED")
	r.cfg(port.RegSeed, 0)
	require.Equal(t, uint32(1), r.Config()[port.RegSeed])
	require.Equal(t, uint32(1), r.read(0, port.WordLfsr))
}

// The draws listed in contract.md.
func TestDraws(t *testing.T) {
	v := uint32(1)
	for _, want := range []uint32{0xb6f6b6c3, 0x8a0f3db5, 0x09e5f3cf, 0x90bd2fa6, 0xb914de3e, 0x44c38d95} {
		v = Draw(v)
		require.Equal(t, want, v)
	}
}

func TestECN(t *testing.T) {
	const det, prob = 1, 2
	for _, tc := range []struct {
		name             string
		mode             uint32
		depth            uint16 // after the packet
		cls              port.Cls
		ect              bool
		kMin, kMax, pMax uint32
		lfsr             uint32 // the draw of 1 gives 0xb6c3 = 46787
		ce, drew         bool
	}{
		{"off", 0, 900, 0, true, 0, 0, 65536, 1, false, false},
		{"3 is off", 3, 900, 0, true, 0, 0, 65536, 1, false, false},
		{"at K_DET", det, 300, 0, true, 0, 0, 0, 1, false, false},
		{"above K_DET", det, 301, 0, true, 0, 0, 0, 1, true, false},
		{"not ECN capable", det, 301, 0, false, 0, 0, 0, 1, false, false},
		{"medium is never marked", det, 301, 1, true, 0, 0, 0, 1, false, false},
		{"high is never marked", det, 301, 2, true, 0, 0, 0, 1, false, false},
		{"at K_MIN no draw", prob, 100, 0, true, 100, 1100, 65536, 1, false, false},
		{"at K_MAX no draw", prob, 1100, 0, true, 100, 1100, 0, 1, true, false},
		{"just below K_MAX", prob, 1099, 0, true, 100, 1100, 0, 1, false, true},
		{"just above K_MIN", prob, 101, 0, true, 100, 1100, 65536, 1, false, true},
		{"not ECN capable, no draw", prob, 500, 0, false, 100, 1100, 65536, 1, false, false},
		{"K_MAX below K_MIN, at K_MIN", prob, 600, 0, true, 600, 100, 65536, 1, false, false},
		{"K_MAX below K_MIN, above", prob, 601, 0, true, 600, 100, 65536, 1, true, false},
		{"K_MAX = K_MIN, at", prob, 600, 0, true, 600, 600, 65536, 1, false, false},
		{"K_MAX = K_MIN, above", prob, 601, 0, true, 600, 600, 65536, 1, true, false},
		// 46787 * 1000 = 46787000 against 714 * 65528 and 714 * 65529
		{"equal or above is not less", prob, 814, 0, true, 100, 1100, 65528, 1, false, true},
		{"the least that is less", prob, 814, 0, true, 100, 1100, 65529, 1, true, true},
		{"P_MAX above 1", prob, 601, 0, true, 100, 1100, 131071, 1, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := newRig(t, port.RegTrimEn, 0, port.RegECNMode, tc.mode, port.RegKDet, 300,
				port.RegKMin, tc.kMin, port.RegKMax, tc.kMax, port.RegPMax, tc.pMax)
			r.load(0, port.WordLfsr, tc.lfsr)
			r.do(port.Enq{Cls: tc.cls, Len: 50, Ect: tc.ect, Id: 4, LastHop: true})
			r.do(port.Enq{Cls: tc.cls, Len: tc.depth, Ect: true})
			require.Equal(t, port.Deqr{
				Cls: tc.cls, Id: 4, Len: 50, LastHop: true, Ce: tc.ce, Depth: uint32(tc.depth), PortBytes: uint32(tc.depth),
			}, r.grant())
			require.Equal(t, tc.ce, r.read(tc.cls, port.WordMarks) == 1)
			require.Equal(t, tc.drew, r.read(0, port.WordLfsr) != 1)
		})
	}
}

func TestXoff(t *testing.T) {
	r := newRig(t, port.RegXoff, 100, port.RegXon, 50)
	require.False(t, r.put(0, 99).Xoff)
	require.True(t, r.put(2, 1).Xoff, "at XOFF, classes together")
	require.True(t, r.grant().Xoff, "between the two it stays")
	require.False(t, r.grant().Xoff)
	r.put(0, 100)
	r.put(0, 51)
	require.Equal(t, uint32(16), r.read(1, port.WordDrrPtr))
	require.True(t, r.grant().Xoff, "above XON")
	r.cfg(port.RegXon, 51)
	require.Equal(t, uint32(16), r.read(0, port.WordDrrPtr), "a write evaluates nothing anew")
	require.False(t, r.grant().Xoff)

	r = newRig(t, port.RegXoff, 100, port.RegXon, 50)
	r.put(0, 100)
	r.put(0, 50)
	require.False(t, r.grant().Xoff, "at XON")
	r = newRig(t, port.RegXoff, 0)
	require.Equal(t, port.Deqr{Empty: true, Xoff: true}, r.grant(), "an empty port is evaluated too")
	r = newRig(t, port.RegXoff, 10, port.RegXon, 20)
	require.True(t, r.put(0, 10).Xoff, "XOFF wins where both hold")
	r = newRig(t, port.RegXoff, 0, port.RegDropLow, 0)
	require.True(t, r.put(0, 10).Xoff, "evaluated whatever the verdict")
}

func TestGrantRefusedAndEmpty(t *testing.T) {
	r := newRig(t)
	var rsp port.Deqr
	r.Deq(&port.Deq{Port: 2}, &rsp)
	require.Equal(t, port.Deqr{Port: 2, Refused: true}, rsp)
	r.Deq(&port.Deq{Port: 1}, &rsp)
	require.Equal(t, port.Deqr{Port: 1, Empty: true}, rsp)
	require.Zero(t, r.Words(1, 0).DeqPkts)
}

// serve fills the three queues to their depth with packets of the given lengths and returns the classes served by n
// grants, in order.
func serve(r rig, lens [3]uint16, n int) (classes []int) {
	for c, l := range lens {
		for l > 0 && len(r.Packets(nil, 0, c)) < 4 {
			require.Equal(r, port.VerdictAdmit, r.put(port.Cls(c), l).Verdict)
		}
	}
	for range n {
		classes = append(classes, int(r.grant().Cls))
	}
	return classes
}

func TestSchedulers(t *testing.T) {
	quanta := func(sched, low, med, high uint32) []uint32 {
		return []uint32{port.RegSched, sched, port.RegQuantumLow, low, port.RegQuantumMed, med, port.RegQuantumHigh, high}
	}
	for _, tc := range []struct {
		name string
		regs []uint32
		lens [3]uint16
		want []int
	}{
		{"strict", quanta(0, 0, 0, 0), [3]uint16{9, 9, 9}, []int{2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0}},
		{"3 is strict", quanta(3, 0, 0, 0), [3]uint16{9, 0, 9}, []int{2, 2, 2, 2, 0, 0, 0, 0}},
		{"DRR, quanta 0: packet by packet", quanta(1, 0, 0, 0), [3]uint16{9, 9, 9},
			[]int{1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0}},
		{"DRR, one class alone", quanta(1, 0, 0, 0), [3]uint16{9, 0, 0}, []int{0, 0, 0, 0}},
		{"DRR weighted", quanta(1, 300, 100, 200), [3]uint16{100, 100, 100}, []int{1, 2, 2, 0, 0, 0, 1, 2, 2, 0, 1, 1}},
		{"DRR, deficits add up", quanta(1, 150, 100, 0), [3]uint16{100, 100, 0}, []int{1, 0, 1, 0, 0, 1, 0, 1}},
		{"high strict over DRR", quanta(2, 0, 0, 0), [3]uint16{9, 9, 9}, []int{2, 2, 2, 2, 1, 0, 1, 0, 1, 0, 1, 0}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			require.Equal(t, tc.want, serve(newRig(t, tc.regs...), tc.lens, len(tc.want)))
		})
	}
}

func TestDRRState(t *testing.T) {
	r := newRig(t, port.RegSched, 1, port.RegQuantumLow, 100, port.RegQuantumMed, 100)
	r.put(0, 60)
	r.put(0, 60)
	r.load(0, port.WordDeficit, 59)
	r.load(1, port.WordDeficit, 5)
	r.grant()
	require.Equal(t, uint32(59+100-60), r.read(0, port.WordDeficit), "one short of the packet: a new quantum")
	r.put(0, 60)
	r.load(0, port.WordDeficit, 60)
	r.grant()
	require.Zero(t, r.read(0, port.WordDeficit), "exactly enough")
	r.load(0, port.WordDeficit, 90)
	r.grant()
	require.Zero(t, r.read(0, port.WordDeficit), "lost when the queue runs empty")
	require.Equal(t, uint32(5), r.read(1, port.WordDeficit), "a class passed over keeps its deficit")

	r.put(1, 10)
	r.put(1, 10)
	r.load(1, port.WordDeficit, 0xFFFFFF)
	r.grant()
	require.Equal(t, uint32(0xFFFFFF-10), r.read(1, port.WordDeficit), "capped at 2^24 - 1")
	require.Equal(t, uint32(1), r.read(0, port.WordDrrPtr))

	r.cfg(port.RegSched, 0)
	r.grant()
	require.Equal(t, uint32(0xFFFFFF-10), r.read(1, port.WordDeficit),
		"strict leaves deficits, also of a queue that runs empty")
	r.cfg(port.RegSched, 2)
	r.put(2, 10)
	r.load(2, port.WordDeficit, 8)
	r.grant()
	require.Equal(t, uint32(8), r.read(2, port.WordDeficit), "the strict class of high strict is not DRR's")
	r.load(0, port.WordDrrPtr, 2)
	r.put(0, 10)
	require.Equal(t, port.ClsLow, r.grant().Cls, "the pointer outside the set")
}
