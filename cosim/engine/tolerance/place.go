package tolerance

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/goldwire/goldwire/vectors/event"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Form is where a value comes from.
type Form string

// The forms of a value, as the first part of its name.
const (
	Field    Form = "field"    // of a response; its name begins with the stream's
	Word     Form = "word"     // in a state word, which READ answers
	Register Form = "register" // which CFG_READ answers
)

// place is where the bits of a value are.
type place struct {
	Form   Form
	stream int         // output stream
	slot   *event.Slot // of the response
	addr   uint64      // of the state word or register
	lsb    int         // within the slot
	width  int
	signed bool
	enum   string
	q      string
	unit   string
}

// Access is how the state of a block is read and written: by events of the kinds READ, LOAD, CFG_READ and CFG_WRITE of
// its one input stream, with a field addr, through the fields data.
type Access struct {
	Kind, Addr, In *event.Slot // of the event
	Bank           *event.Slot // of the event: the profile of a register; nil where there is one set of them
	Data           *event.Slot // of the response

	Read, Load           uint64   // kinds
	ReadConf, WriteConf  uint64   // kinds of the registers
	Words, Registers     []uint64 // addresses
	HasWords, HasConf    bool
	lackWords, lackConfs string // why not
}

// AccessOf returns how the state of a block is read. HasWords and HasConf tell which parts the block has.
func AccessOf(b *event.Block) *Access {
	a := &Access{}
	ins, outs := b.StreamsOf(event.In), b.StreamsOf(event.Out)
	if len(ins) != 1 || len(outs) != 1 {
		a.lack(fmt.Sprintf("block %s has %d input and %d output streams; its state is read where it has one of each",
			b.Name, len(ins), len(outs)))
		return a
	}
	l := event.NewLayout(b)
	in, out := ins[0].Name, outs[0].Name
	a.Kind, a.Addr, a.In = l.In.Slot(in, "kind"), l.In.Slot(in, "addr"), l.In.Slot(in, "data")
	a.Bank, a.Data = l.In.Slot(in, "profile"), l.Out.Slot(out, "data")
	if a.Kind == nil || a.Addr == nil || a.In == nil || a.Data == nil || a.Data.Field.Width > 64 {
		a.lack(fmt.Sprintf("block %s lacks one of the fields kind, addr and data of %s and data of %s", b.Name, in, out))
		return a
	}
	kind := func(name string, to *uint64) bool {
		e := b.Enum(a.Kind.Field.Enum)
		if e == nil {
			return false
		}
		i := slices.IndexFunc(e.Values, func(v event.EnumValue) bool { return v.Name == name })
		if i >= 0 {
			*to = e.Values[i].Value
		}
		return i >= 0
	}
	if !kind("READ", &a.Read) || !kind("LOAD", &a.Load) || len(b.Words) == 0 {
		a.lackWords = fmt.Sprintf("block %s has no state words with events READ and LOAD", b.Name)
	}
	if !kind("CFG_READ", &a.ReadConf) || !kind("CFG_WRITE", &a.WriteConf) || len(b.Registers) == 0 {
		a.lackConfs = fmt.Sprintf("block %s has no registers with events CFG_READ and CFG_WRITE", b.Name)
	}
	a.HasWords, a.HasConf = a.lackWords == "", a.lackConfs == ""
	for _, w := range b.Words {
		a.Words = append(a.Words, uint64(w.Addr))
	}
	for _, r := range b.Registers {
		if a.HasConf {
			a.Registers = append(a.Registers, uint64(r.Addr))
		}
	}
	return a
}

func (a *Access) lack(why string) { a.lackWords, a.lackConfs = why, why }

// Lacks returns the error of a block whose state words cannot be read and written; nil when they can.
func (a *Access) Lacks() error {
	if a.HasWords {
		return nil
	}
	return errors.New(a.lackWords)
}

// places yields every value of a block that a rule may be for, by its name.
func places(b *event.Block) iter.Seq2[string, place] {
	return func(yield func(string, place) bool) {
		l, a := event.NewLayout(b), AccessOf(b)
		for i, s := range b.StreamsOf(event.Out) {
			for _, f := range s.Fields {
				if !yield(s.Name+"."+f.Name, place{Form: Field, stream: i, slot: l.Out.Slot(s.Name, f.Name), width: f.Width,
					signed: f.Signed, enum: f.Enum, q: f.Q, unit: f.Unit}) {
					return
				}
			}
		}
		for _, w := range b.Words {
			for _, f := range w.Fields {
				if a.HasWords && !yield(string(Word)+"."+f.Name, place{Form: Word, slot: a.Data, addr: uint64(w.Addr), lsb: f.LSB,
					width: f.Width, signed: f.Signed, enum: f.Enum, q: f.Q, unit: f.Unit}) {
					return
				}
			}
		}
		for _, r := range b.Registers {
			if a.HasConf && !yield(string(Register)+"."+r.Name, place{Form: Register, slot: a.Data, addr: uint64(r.Addr),
				width: r.Width, q: r.Q, unit: r.Unit}) {
				return
			}
		}
	}
}

func find(b *event.Block, name string) (place, error) {
	for x, p := range places(b) {
		if x == name {
			return p, nil
		}
	}
	form, _, _ := strings.Cut(name, ".")
	a, of := AccessOf(b), b.Stream(form)
	handshake := slices.ContainsFunc(b.StreamsOf(event.Out), func(s *event.Stream) bool {
		return name == s.Name+"_valid" || name == s.Name+"_ready"
	})
	switch {
	case form == string(Word) && !a.HasWords:
		return place{}, errors.New(a.lackWords)
	case form == string(Word):
		return place{}, fmt.Errorf("block %s has no such state word", b.Name)
	case form == string(Register) && !a.HasConf:
		return place{}, errors.New(a.lackConfs)
	case form == string(Register):
		return place{}, fmt.Errorf("block %s has no such register", b.Name)
	case handshake:
		return place{}, fmt.Errorf("a handshake is always exact; the key relax has its rules")
	case of != nil && of.Dir == event.In:
		return place{}, fmt.Errorf("%s is an input of block %s; a tolerance is for an output", form, b.Name)
	}
	return place{}, fmt.Errorf("block %s has no such output field", b.Name)
}

// Names returns every name that a rule may have, for the hint of a misspelt one.
func Names(b *event.Block) (names []string) {
	for name := range places(b) {
		names = append(names, name)
	}
	return names
}

// bits returns the value's bits in a record of the response.
func (p *place) bits(rec []uint64) uint64 { return p.slot.Get(rec) >> p.lsb & ones(p.width) }

// mask returns the bits of the place in word slot.Word of a record; it is for values of at most 64 bits.
func (p *place) mask() uint64 { return ones(p.width) << (p.slot.Bit + p.lsb) }

// ordered maps raw bits to numbers in the order of the values that they stand for.
func (p *place) ordered(raw uint64) uint64 {
	if p.signed {
		raw ^= 1 << (p.width - 1)
	}
	return raw & ones(p.width)
}

// number returns the value of raw bits in its last place.
func (p *place) number(raw uint64) float64 {
	if p.signed && raw>>(p.width-1)&1 != 0 {
		return -float64(ones(p.width) - raw + 1)
	}
	return float64(raw)
}

func (p *place) fraction() int {
	f, _ := formats.ParseFormat(p.q)
	return int(f.Frac)
}

// ones returns n one bits, 0 <= n <= 64.
func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}
