package wordlen

import (
	"context"
	"fmt"
	"runtime"

	"github.com/goldwire/goldwire/vectors/event/formats"
)

// Unit is the hardware of one product or division in the contract's formats and in the winner's.
type Unit struct {
	Name     string `json:"name"`
	Contract Size   `json:"contract"`
	Here     Size   `json:"here"`
}

// Size is the size of a multiplier or divider, and its cells.
type Size struct {
	Divides bool `json:"divides,omitempty"`
	A       int  `json:"a"`     // bits of an operand; of a division, bits of the quotient that are computed
	B       int  `json:"b"`     // bits of the other operand; of a division, of the divisor
	Cells   int  `json:"cells"` // 0: not counted
}

// String returns the size in words, as 24 x 48 bits.
func (s Size) String() string {
	if s.Divides {
		return fmt.Sprintf("%d quotient bits by %d bits", s.A, s.B)
	}
	return fmt.Sprintf("%d x %d bits", s.A, s.B)
}

// sizesOf returns the size of each product of a table, in the order of products and without cells.
func sizesOf(t *formats.Table) []Size {
	bits := func(names ...string) (n int) {
		for _, name := range names {
			if v, ok := t.Lookup(name); ok {
				n += v.Format.Bits()
			}
		}
		return n
	}
	out := make([]Size, len(products))
	for i := range products {
		p := &products[i]
		if p.rows != "" {
			out[i] = Size{Divides: true, A: bits(p.rows), B: bits(p.a...)}
			continue
		}
		out[i] = Size{A: p.fixed + bits(p.a...), B: bits(p.b...)}
	}
	return out
}

// count fills in the cells of the products, for the contract, the winner and the front.
func (r *run) count(ctx context.Context) error {
	if r.Cells == nil {
		return nil
	}
	tables := []*formats.Table{r.contract, r.res.Table}
	for i := range r.res.Front {
		tables = append(tables, r.res.Front[i].table)
	}
	cells, err := r.Cells.all(ctx, tables)
	if err != nil {
		return err
	}
	total := func(t *formats.Table) (n int) {
		for _, s := range sizesOf(t) {
			n += cells[s]
		}
		return n
	}
	r.res.Yosys = r.Cells.Version
	r.res.Contract.Cells, r.res.Winner.Cells = total(r.contract), total(r.res.Table)
	for i, t := range tables[2:] {
		r.res.Front[i].Cells = total(t)
	}
	was, is := sizesOf(r.contract), sizesOf(r.res.Table)
	for i := range products {
		was[i].Cells, is[i].Cells = cells[was[i]], cells[is[i]]
		r.res.Units = append(r.res.Units, Unit{Name: products[i].name, Contract: was[i], Here: is[i]})
	}
	return nil
}

// all returns the cells of every size in some tables.
func (y *Yosys) all(ctx context.Context, tables []*formats.Table) (map[Size]int, error) {
	var ask []Size
	cells := map[Size]int{}
	for _, t := range tables {
		for _, s := range sizesOf(t) {
			if _, ok := cells[s]; !ok {
				cells[s] = 0
				ask = append(ask, s)
			}
		}
	}
	counts := make([]int, len(ask))
	if err := parallel(ctx, len(ask), runtime.GOMAXPROCS(0), func(ctx context.Context, i int) (err error) {
		counts[i], err = y.cells(ctx, ask[i])
		return err
	}); err != nil {
		return nil, err
	}
	for i, s := range ask {
		cells[s] = counts[i]
	}
	return cells, nil
}
