package experiment

// open returns the experiments that are not built, with what they lack. They are listed and never pass.
func open() []Experiment {
	row := func(id, title string, needs ...string) Experiment {
		return Experiment{ID: id, Title: title, Needs: needs}
	}
	return []Experiment{
		row("001/response", "response to a second flow", "fncc", "hpcc", "rocc"),
		row("001/line-rates", "response at 100, 200 and 400 Gb/s", "fncc", "hpcc", "rocc"),
		row("001/int-age", "age of telemetry", "fncc", "hpcc"),
		row("001/fairness", "fairness of FNCC as flows join and leave", "fncc", "flows with a stop time"),
		row("001/first-hop", "congestion at the first hop", "fncc", "hpcc"),
		row("001/middle-hop", "congestion at the middle hop", "fncc", "hpcc"),
		row("001/last-hop", "congestion at the last hop", "fncc", "hpcc"),
		row("001/websearch", "WebSearch in a fat tree", "fncc", "hpcc"),
		row("001/hadoop", "FB_Hadoop in a fat tree", "fncc", "hpcc"),
	}
}
