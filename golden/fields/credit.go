package fields

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/credit"
)

// CreditGap returns the cycles between two pulls of one quantum, at the pacer's share of a link of that time per byte.
func CreditGap(perByte units.PerByte, cycle units.Picos) (exact.Number, error) {
	link := exact.Mul(exact.Int(rccc.Quantum), exact.Int(perByte.Num*rccc.ShareDen))
	return exact.Quo(link, exact.Mul(exact.Int(int64(cycle)), exact.Int(perByte.Den*rccc.ShareNum)))
}

// CreditRegisters returns the registers of block credit, by address, with which it paces such a link: pulls of as many
// quanta as the rule's, slow ones up to the largest window of a sender, in bytes. It errors when a register does not
// hold its value.
func CreditRegisters(perByte units.PerByte, maxWnd int64, cycle units.Picos) (file [credit.NumRegs]uint32, err error) {
	gap, err := CreditGap(perByte, cycle)
	if err != nil {
		return file, err
	}
	word, err := exact.Quantise(gap, exact.UQ(uint(credit.RegInfo[credit.RegGap].Width-credit.Frac), credit.Frac),
		exact.NearestEven)
	if err != nil {
		return file, err
	}
	window := maxWnd / rccc.Quantum
	switch {
	case word.Saturated || word.Raw == 0:
		return file, fmt.Errorf("%s: %s cycles a quantum does not fit", credit.RegInfo[credit.RegGap].Name, gap.Text(6))
	case window>>credit.RegInfo[credit.RegWindow].Width != 0:
		return file, fmt.Errorf("%s: %d quanta do not fit", credit.RegInfo[credit.RegWindow].Name, window)
	}
	file[credit.RegQuanta], file[credit.RegGap], file[credit.RegWindow] = rccc.PerPull, uint32(word.Raw), uint32(window)
	return file, nil
}
