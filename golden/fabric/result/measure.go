package result

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// PeakRSSMB returns the greatest resident memory that this process has had, in
// megabytes of 10^6 bytes, 0 where the system does not report it.
func PeakRSSMB() float64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if w := strings.Fields(in.Text()); len(w) == 3 && w[0] == "VmHWM:" {
			kb, err := strconv.ParseFloat(w[1], 64)
			if err != nil {
				return 0
			}
			return kb * 1024 / 1e6
		}
	}
	return 0
}
