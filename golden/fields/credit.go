package fields

import (
	"fmt"

	"github.com/goldwire/goldwire/golden/cc/rccc"
	"github.com/goldwire/goldwire/golden/exact"
	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/credit"
	"github.com/goldwire/goldwire/vectors/event/formats"
)

// CreditCycle is the clock of a pacer in a simulated network.
const CreditCycle = units.Nanosecond

// CreditGap returns the cycles between two pulls of one quantum, at the pacer's share of a link of that time per byte.
func CreditGap(perByte units.PerByte, cycle units.Picos) (exact.Number, error) {
	quantum := exact.Int(rccc.Quantum * rccc.ShareDen * perByte.Num)
	return exact.Quo(quantum, exact.Int(rccc.ShareNum*perByte.Den*int64(cycle)))
}

// CreditGapWord returns the register of such a gap in a format, and errors when it does not fit: the block refuses a
// gap of 0.
func CreditGapWord(gap exact.Number, v *formats.Value) (uint64, error) {
	for round := exact.Truncate; round <= exact.NearestAway; round++ {
		if round.String() != v.Round.String() {
			continue
		}
		word, err := exact.Quantise(gap, exact.UQ(uint(v.Format.Int), uint(v.Format.Frac)), round)
		switch {
		case err != nil:
			return 0, err
		case word.Saturated || word.Raw == 0 || v.Format.Signed:
			return 0, fmt.Errorf("%s %v: %s cycles a quantum do not fit", v.Name, v.Format, gap.Text(6))
		}
		return word.Raw, nil
	}
	return 0, fmt.Errorf("%s: rounding %v: a real number becomes no word by it", v.Name, v.Round)
}

// CreditRegisters returns the registers of block credit, by address, with which it paces such a link: pulls of as many
// quanta as the rule's, slow ones up to the largest window of a sender, in bytes. It errors when a register does not
// hold its value.
func CreditRegisters(perByte units.PerByte, maxWnd int64, cycle units.Picos) (file [credit.NumRegs]uint32, err error) {
	gap, err := CreditGap(perByte, cycle)
	if err != nil {
		return file, err
	}
	v, _ := credit.Formats().Lookup(credit.RegInfo[credit.RegGap].Name)
	word, err := CreditGapWord(gap, v)
	if err != nil {
		return file, err
	}
	window := maxWnd / rccc.Quantum
	if window>>credit.RegInfo[credit.RegWindow].Width != 0 {
		return file, fmt.Errorf("%s: %d quanta do not fit", credit.RegInfo[credit.RegWindow].Name, window)
	}
	file[credit.RegQuanta], file[credit.RegGap], file[credit.RegWindow] = rccc.PerPull, uint32(word), uint32(window)
	return file, nil
}
