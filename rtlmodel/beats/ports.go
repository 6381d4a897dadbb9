package beats

import "github.com/goldwire/goldwire/rtlmodel/clk"

// Ports is the skeleton of a block with beats B from port rx to elements X at port tx, and accesses
// C at port cfg with responses R at cfgr. A block embeds it; only the block may use Store, Out and Lane.
//
// Its methods are the ports that an enclosing block uses: what they return depends on the state before the clock edge,
// and what they change is visible after the block's Tick. For a cycle with rst_n low, call the block's Reset.
type Ports[B, X, C, R any] struct {
	Store clk.Store[B]
	Out   clk.Emitter[X]
	Lane  clk.Lane[C, R]

	headBeats int
	index     int // of the next beat to issue, within its packet; stops at headBeats
	sweep     int // cycles left in which nothing is accepted
}

// Sizes are the depths, in elements, and distances, in cycles, of a block.
type Sizes struct {
	InFIFO     int // of rx and of cfg
	Store      int
	HeadBeats  int // beats that the decision on a packet needs
	Release    clk.Cycle
	Out        int
	Emit       clk.Cycle
	CfgCredits int
	CfgLatency clk.Cycle
}

// InitPorts sets the sizes; the caller must call Reset afterwards.
func (p *Ports[B, X, C, R]) InitPorts(s Sizes) {
	*p = Ports[B, X, C, R]{headBeats: s.HeadBeats}
	p.Store.Init(s.InFIFO, s.Store, s.Release)
	p.Out.Init(s.Out, s.Emit)
	p.Lane.Init(s.InFIFO, s.CfgCredits, s.CfgLatency)
}

// ResetPorts empties everything at once. The ports accept nothing for the next sweep cycles.
func (p *Ports[B, X, C, R]) ResetPorts(sweep int) {
	p.index, p.sweep = 0, sweep
	p.Store.Reset()
	p.Out.Reset()
	p.Lane.Reset()
}

// Up reports whether the sweep is over.
func (p *Ports[B, X, C, R]) Up() bool { return p.sweep == 0 }

// RxReady returns rx_ready.
func (p *Ports[B, X, C, R]) RxReady() bool { return p.sweep == 0 && !p.Store.Full() }

// CfgReady returns cfg_ready.
func (p *Ports[B, X, C, R]) CfgReady() bool { return p.sweep == 0 && !p.Lane.Full() }

// AcceptCfg is a transfer at cfg. It returns the slot of the event; the caller must write all of it before Tick. Call
// it only when CfgReady.
func (p *Ports[B, X, C, R]) AcceptCfg() *C { return p.Lane.Accept() }

// Tx returns the beat at tx, nil when it is not valid.
func (p *Ports[B, X, C, R]) Tx() *X {
	if !p.Out.Valid() {
		return nil
	}
	return p.Out.Front()
}

// Cfgr returns the response at cfgr, nil when it is not valid.
func (p *Ports[B, X, C, R]) Cfgr() *R {
	if !p.Lane.Valid() {
		return nil
	}
	return p.Lane.Response()
}

// TakeTx is a transfer at tx. Call it only when tx is valid.
func (p *Ports[B, X, C, R]) TakeTx() { p.Out.Take() }

// TakeCfgr is a transfer at cfgr. Call it only when cfgr is valid.
func (p *Ports[B, X, C, R]) TakeCfgr() { p.Lane.Take() }

// InUse returns the beats in the rx FIFO, in the store and between store and tx.
func (p *Ports[B, X, C, R]) InUse() (fifo, store, out int) {
	fifo, store = p.Store.InUse()
	return fifo, store, p.Out.Len()
}

// Issue moves the oldest beat of the rx FIFO to the store in this cycle; last marks the last beat of a packet. Call it
// only when Store.CanIssue. It returns the beat's number within its packet, which stops at HeadBeats, and whether the
// beat completes the head. A beat that does releases the index+1 beats of the packet so far; each later beat releases
// itself.
func (p *Ports[B, X, C, R]) Issue(last bool) (index int, complete bool) {
	index = p.index
	switch {
	case index == p.headBeats:
		p.Store.Issue(1)
	case last || index == p.headBeats-1:
		complete = true
		p.Store.Issue(index + 1)
	default:
		p.Store.Issue(0)
	}
	if last {
		p.index = 0
	} else if index < p.headBeats {
		p.index++
	}
	return index, complete
}

// TickPorts is the clock edge at the end of a cycle with rst_n high.
func (p *Ports[B, X, C, R]) TickPorts() {
	if p.sweep > 0 {
		p.sweep--
	}
	p.Store.Tick()
	p.Out.Tick()
	p.Lane.Tick()
}
