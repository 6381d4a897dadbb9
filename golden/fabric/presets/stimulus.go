package presets

import (
	"github.com/goldwire/goldwire/golden/fabric/lb"
	"github.com/goldwire/goldwire/golden/fabric/settings"
	"github.com/goldwire/goldwire/golden/units"
)

// stimulus is the folder of the presets that sources of stimulus run.
const stimulus = "stimulus/"

// Stimulus returns the network that the source fabric:NAME of a testbench runs, which is the preset
// stimulus/NAME: the default network with what a NIC meets in service: receivers that ask for a slower pace, jitter and
// now and then a lost packet. The source makes it endless. It differs from fattree128/NAME, which has the conditions of
// the reference simulator and no disturbances. It returns false when there is none of that name.
func Stimulus(name string) (settings.Spec, bool) {
	for _, p := range stimuli() {
		if p.Name == stimulus+name {
			return p.Spec, true
		}
	}
	return settings.Spec{}, false
}

func stimuli() []Preset {
	var out []Preset
	add := func(name, about string, loss float64, edit func(*settings.Spec)) {
		s := settings.DefaultSpec()
		s.StartSpread, s.ServiceJitter = 20*units.Microsecond, units.Microsecond
		s.SlowHosts, s.LossProb = 0.125, loss
		edit(&s)
		about += ", slow hosts, jitter and loss: the network of the source fabric:" + name
		out = append(out, Preset{stimulus + name, about, s})
	}
	add("incast32", "32 of 128 hosts send to one", 1e-5, func(s *settings.Spec) { s.Workload = settings.Incast })
	add("permutation", "every host sends to another", 1e-6, func(*settings.Spec) {})
	add("mixed", "flows of three sizes", 1e-6, func(s *settings.Spec) {
		s.Workload, s.Sizes = settings.Mixture, []int64{16 << 10, 256 << 10, 4 << 20}
	})
	add("websearch", "Poisson arrivals at a load of 0.8", 1e-6, func(s *settings.Spec) {
		s.Workload, s.CDF, s.Load, s.Flows = settings.Poisson, "websearch", 0.8, 2000
	})
	add("turnover", "32 of 128 hosts send small flows to one and recover by SLEEK", 1e-5, func(s *settings.Spec) {
		s.Workload, s.FlowBytes, s.Recovery = settings.Incast, 96<<10, settings.RecoverSLEEK
	})
	return append(out, telemetered()...)
}

// telemetered returns the lossless networks of senders that live by telemetry, which is what intmd writes: HPCC's in
// data packets, FNCC's in ACKs. Nothing is lost or late, since both controls need order and PFC.
func telemetered() []Preset {
	var out []Preset
	for _, c := range []struct {
		cc string
		in settings.INTMode
	}{{"hpcc", settings.INTData}, {"fncc", settings.INTAck}} {
		s := lossless001()
		s.Workload, s.CDF, s.Load, s.Flows = settings.Poisson, "websearch", 0.5, 2000
		s.LB, s.CC, s.INT, s.Retrace = lb.ECMP, c.cc, c.in, c.in == settings.INTAck
		about := "Poisson arrivals at half load under " + c.cc + ", lossless: the network of the source fabric:" + c.cc
		out = append(out, Preset{stimulus + c.cc, about, s})
	}
	return out
}
