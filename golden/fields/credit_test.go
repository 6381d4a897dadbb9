package fields

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/goldwire/goldwire/golden/units"
	"github.com/goldwire/goldwire/vectors/event/credit"
)

// TestCreditRegisters: at 400 Gb/s and 1 GHz the gap is the register's reset value, and it follows the rate. A register
// that does not hold its value is named.
func TestCreditRegisters(t *testing.T) {
	reset := uint32(credit.RegInfo[credit.RegGap].Reset)
	for gbps, gap := range map[units.Gbps]uint32{400: reset, 800: 169467, 100: 1355735} {
		file, err := CreditRegisters(gbps.PerByte(), 900_000, units.Nanosecond)
		require.NoError(t, err)
		require.Equal(t, [credit.NumRegs]uint32{64, gap, 3515}, file)
	}
	_, err := CreditRegisters(units.Gbps(8).PerByte(), 900_000, units.Nanosecond)
	require.ErrorContains(t, err, "GAP UQ8.16: 258.585 cycles a quantum do not fit")
	_, err = CreditRegisters(units.Gbps(400).PerByte(), 1<<24, units.Nanosecond)
	require.ErrorContains(t, err, "WINDOW: 65536 quanta do not fit")
}
