package experiment

import "math"

// firstWindows are the first windows of a host by name, given the largest, which is 1.5 BDP.
var firstWindows = map[string]func(host int32, largest float64) float64{
	// From 0.1 to 1.5 BDP over eight hosts of the second leaf.
	"spread": func(host int32, largest float64) float64 {
		return largest * math.Pow(15, float64(host-firstSender)/float64(convergers-1)-1)
	},
}

// firstSender is the first of the hosts with their own first windows, convergers their number.
const (
	firstSender = 16
	convergers  = 8
)

func traces000() []Experiment { return nil }
