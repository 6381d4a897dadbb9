package ccc

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	port "github.com/goldwire/goldwire/vectors/event/ccc"
)

// apply executes an event without a context.
func (c *Config) apply(ev port.Event) port.Response {
	var r port.Response
	Apply(c, nil, &ev, &r)
	return r
}

func TestEveryRegisterIsOfOneProfile(t *testing.T) {
	for _, profiles := range []int{1, 8, 16} {
		spec := Spec{NumContexts: 2, NumPdcs: 1, NumProfiles: profiles}
		for addr := range uint8(32) {
			for p := range uint8(16) {
				cfg := spec.Config()
				before := cfg
				exists := addr < 20 && (int(p) < profiles || addr == port.RegTimeShift)
				wr := port.Event{Kind: port.KindCfgWrite, Ctx: 0xFFFF, Profile: p, Addr: addr, Data: math.MaxUint64, Entropy: 3}
				want := echo(wr)
				want.Refused = !exists
				require.Equal(t, want, cfg.apply(wr), "addr %d profile %d of %d", addr, p, profiles)
				if !exists {
					require.Equal(t, before, cfg)
				}
				for q := range uint8(16) { // profiles that see the write: the profile itself, or all for TIME_SHIFT
					rd := port.Event{Kind: port.KindCfgRead, Ctx: 0xFFFF, Profile: q, Addr: addr}
					want := echo(rd)
					switch {
					case addr >= 20 || int(q) >= profiles && addr != port.RegTimeShift:
						want.Refused = true
					case exists && (p == q || addr == port.RegTimeShift):
						want.Data = 1<<port.RegInfo[addr].Width - 1
					default:
						want.Data = port.RegInfo[addr].Reset
					}
					require.Equal(t, want, cfg.apply(rd), "addr %d profile %d after a write to %d of %d", addr, q, p, profiles)
				}
			}
		}
	}
}

func TestConfigProfile(t *testing.T) {
	cfg := DefaultConfig()
	require.True(t, cfg.Write(7, port.RegEta, 9))
	require.True(t, cfg.Write(0, port.RegTimeShift, 3))
	var want Registers
	for addr := range want {
		want[addr] = port.RegInfo[addr].Reset
	}
	want[port.RegTimeShift] = 3
	require.Equal(t, want, cfg.Profile(6))
	want[port.RegEta] = 9
	require.Equal(t, want, cfg.Profile(7))
}

func TestConfigWriteOfMTUZero(t *testing.T) {
	for _, tc := range []struct {
		data    uint64
		refused bool
		mtu     uint64
	}{{0, true, 4096}, {1 << 16, true, 4096}, {1<<16 + 1, false, 1}, {1, false, 1}} {
		u := newUnit()
		r := u.do(port.Event{Kind: port.KindCfgWrite, Profile: profile, Addr: port.RegMTU, Data: tc.data})
		require.Equal(t, tc.refused, r.Refused)
		require.Equal(t, tc.mtu, *u.reg(port.RegMTU))
	}
	u := newUnit()
	r := u.do(port.Event{Kind: port.KindCfgWrite, Profile: profile, Addr: port.RegMaxWnd})
	require.False(t, r.Refused, "other registers may be 0")
	require.Zero(t, *u.reg(port.RegMaxWnd))
}

// Two contexts with different profiles. Profile 1 has MTU 1000, MAX_WND 50000, base RTT 6000, ACK_GEN_TRIGGER 60000,
// MWND_RATE 2.5; profile 0 has the reset values.
func TestContextsOfTwoProfiles(t *testing.T) {
	cfg := Spec{NumContexts: 2, NumPdcs: 1, NumProfiles: 2}.Config()
	for addr, v := range map[uint8]uint64{
		port.RegMTU: 1000, port.RegMaxWnd: 50000, port.RegConfigBaseRTT: 6000, port.RegAckGenTrigger: 60000,
		port.RegMwndRate: 5 << 15,
	} {
		require.True(t, cfg.Write(1, addr, v))
	}
	var st [2]State
	do := func(ctx uint8, ev port.Event) (r port.Response) {
		Apply(&cfg, &st[ctx], &ev, &r)
		return r
	}
	r := do(0, port.Event{Kind: port.KindOpen, Profile: 0})
	require.Equal(t, [2]uint32{225000, 12000}, [2]uint32{r.Cwnd, r.BaseRTT})
	require.False(t, r.AckRequest, "225000 >= 16384")
	r = do(1, port.Event{Kind: port.KindOpen, Profile: 1})
	require.Equal(t, [2]uint32{50000, 6000}, [2]uint32{r.Cwnd, r.BaseRTT})
	require.True(t, r.AckRequest, "50000 < 60000")

	// The profile field of other events has no effect: 18.75 * 4000 = 75000; min(50000, 2.5 * 4000) = 10000.
	do(0, port.Event{Kind: port.KindSample, Data: 4000, Profile: 1})
	do(1, port.Event{Kind: port.KindSample, Data: 4000, Profile: 0})
	require.Equal(t, [2]uint32{75000, 10000}, [2]uint32{st[0].MaxWnd, st[1].MaxWnd})
	// A loss of everything in flight leaves one MTU of the profile.
	for ctx, want := range []uint32{4096, 1000} {
		require.Equal(t, want, do(uint8(ctx), port.Event{Kind: port.KindLoss, Size: math.MaxUint32}).Cwnd)
	}
	// A write to the profile of an open context takes effect from the context's next event.
	require.True(t, cfg.Write(1, port.RegAckGenTrigger, 1000))
	require.False(t, do(1, port.Event{Kind: port.KindRead, Addr: 1}).AckRequest)
	require.Equal(t, uint64(1)<<8, do(1, port.Event{Kind: port.KindRead, Addr: 0}).Data&0xF00, "READ shows the profile")
}

func TestRefusedProfile(t *testing.T) {
	for _, profiles := range []int{1, 2, 15, 16} {
		for p := range uint8(16) {
			cfg := Spec{NumContexts: 2, NumPdcs: 1, NumProfiles: profiles}.Config()
			refused := int(p) >= profiles
			name := fmt.Sprintf("profile %d of %d", p, profiles)
			for _, valid := range []bool{false, true} { // OPEN needs no valid context
				st := State{Valid: valid, Words: port.Words{Cwnd: 5000, Profile: 0}}
				before := st
				ev := port.Event{Kind: port.KindOpen, Profile: p, Entropy: 5, Now: 9}
				var r port.Response
				Apply(&cfg, &st, &ev, &r)
				if refused {
					want := echo(ev)
					want.Refused = true
					require.Equal(t, want, r, name)
					require.Equal(t, before, st, name)
				} else {
					require.False(t, r.Refused, name)
					require.Equal(t, p, st.Profile, name)
				}
				if !valid {
					continue
				}
				st = before
				ev = port.Event{Kind: port.KindLoad, Addr: 0, Data: uint64(p)<<8 | 7}
				Apply(&cfg, &st, &ev, &r)
				require.Equal(t, refused, r.Refused, name)
				if refused {
					want := echo(ev)
					want.Refused = true
					require.Equal(t, want, r, name)
					require.Equal(t, before, st, name)
				} else {
					require.Equal(t, p, st.Profile, name)
					require.True(t, st.TriggerQA && st.QAValid && st.Increase, name)
				}
			}
		}
	}
	// Dispatch step 3 comes before step 4: a context out of range gives no_context for any profile.
	cfg := DefaultConfig()
	r := cfg.apply(port.Event{Kind: port.KindOpen, Profile: 15})
	require.Equal(t, [2]bool{true, false}, [2]bool{r.NoContext, r.Refused})
	// Bits 12 and up of the data do not belong to the profile, and other words hold no profile.
	u := newUnit()
	require.False(t, u.do(port.Event{Kind: port.KindLoad, Addr: 0, Data: 0xF000}).Refused)
	require.False(t, u.do(port.Event{Kind: port.KindLoad, Addr: 1, Data: 0xF00}).Refused)
	require.False(t, u.do(port.Event{Kind: port.KindRead, Addr: 0, Data: 0xF00}).Refused, "READ does not look at data")
}

// After a LOAD of word 0 the floor and the view use the loaded profile.
func TestLoadOfTheProfile(t *testing.T) {
	u := newUnit()
	u.cfg.sets[2] = u.cfg.sets[profile]
	u.cfg.sets[2][port.RegMTU], u.cfg.sets[2][port.RegAckGenTrigger] = 9000, 9001
	u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd = 5000, 6000, 7000
	r := u.do(port.Event{Kind: port.KindLoad, Addr: 0, Data: 2 << 8})
	require.Equal(t, [3]uint32{9000, 9000, 9000}, [3]uint32{u.st.Cwnd, u.st.MaxWnd, u.st.SavedCwnd})
	require.Equal(t, uint32(9000), r.Cwnd)
	require.True(t, r.AckRequest, "9000 < 9001, the trigger of profile 2")
	require.True(t, r.CanSend, "0 + 9000 <= 9000")
}
