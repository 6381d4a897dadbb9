package experiment

// open returns the experiments that are not built, with what they lack. They are listed and never pass.
func open() []Experiment {
	row := func(id, title string, needs ...string) Experiment {
		return Experiment{ID: id, Title: title, Needs: needs}
	}
	return []Experiment{
		row("000/coexistence", "NSCC beside TCP Cubic", "cubic"),
		row("000/trace_coexist", "windows of NSCC beside TCP Cubic", "cubic"),
		row("002/table1", "throughput under spraying, theory", "newreno", "dctcp", "swift", "lswift", "smartt",
			"path model of two delays"),
		row("002/fig2", "throughput against the share of slow packets", "newreno", "dctcp", "swift", "lswift", "smartt",
			"path model of two delays"),
		row("002/median-safe", "bound of the median", "mswift", "lswift", "path model of two delays"),
		row("002/fig4", "sprayed flows beside elephants", "swift", "lswift", "mswift", "mnscc"),
		row("002/fig5", "distribution of completion times", "swift", "lswift", "mswift", "mnscc"),
		row("002/fig6", "permutation without elephants", "lswift", "mswift", "mnscc"),
		row("002/fig7", "HSDP ring", "lswift", "mswift", "mnscc"),
		row("002/fig8", "250 hosts", "lswift", "mswift", "mnscc"),
		row("002/fig9", "messages of 16 MB", "lswift", "mswift", "mnscc"),
		row("002/fig10", "eight elephants", "lswift", "mswift", "mnscc"),
		row("002/fig11", "failed links", "lswift", "mswift", "mnscc"),
		row("002/fig12", "10th and 90th percentile", "mswift"),
		row("002/fig13", "two queues by deficit round robin", "lswift", "mswift", "mnscc"),
		row("002/fig14", "incast", "lswift", "mswift", "mnscc"),
	}
}
