// Package fabric is the network that makes the stimulus: a packet-level,
// event-driven simulator of hosts, links and switches carrying Ultra Ethernet
// Transport traffic, whose every NIC can be tapped as the event stream that its
// txstate and ccc hardware would see.
//
// A run is one goroutine, one seed and one result: time is integer picoseconds,
// events with equal times leave the queue in the order they were scheduled, and
// no map, wall clock or global random number takes part. Runs share nothing, so
// any number of them may go in parallel. With Spec.Pods the pods of a tree are parts
// of one run, which any number of threads simulate with one result; it differs from
// that of the whole run as another seed's does, for each pod has its own random numbers.
//
//	p, err := presets.Lookup("fattree128/permutation")
//	err = p.Spec.Set("link.gbps", "800")   // any of settings.All
//	err = p.Spec.Ineffective([]string{"link.gbps"}, false) // would it change nothing?
//	res, err := fabric.Run(ctx, p.Spec, fabric.WithTap(func(ev *cc.Event) bool {
//		...                            // ev is reused: copy what you keep
//		return true                    // false stops the run
//	}))
//	if err == nil {
//		err = res.Verify()             // every byte once, every packet accounted for
//	}
//	sum := result.Summarise(elapsed, res)  // the figures, also of several runs
//
// # How it is built
//
// From the bottom up: kernel is the event queue; account holds the counters; settings describes a run and presets names
// some; net is links, queues and switches; transport the hosts; result the outcome. Congestion controls are in
// golden/cc, load balancers in lb, graphs in topo, workloads in traffic. This package puts them together.
//
// # Compared with the reference simulator
//
// Presets htsim/... have the conditions of its published rows, each of which is one run with one seed; its variation
// between seeds is not known. Ours are the mean of 40 seeds, 20 for permutations, with the standard deviation for
// resent packets:
//
//	2 MB, 12 us       mean / p99 in us                  resent packets
//	permutation 400G  59.8 / 64.2, ours 58.0 / 63.5     0, ours 0
//	permutation 100G  192.6 / 201.8, ours 195.0 / 205.7 0, ours 3 of 62,720
//	incast 32:1 400G  1073 / 1340, ours 1111 / 1332     6,562, ours 6,710 (2 %)
//	incast 64:1 400G  not known                         13,934, ours 14,140 (2 %)
//	incast 32:1 100G  not known                         1,982, ours 2,090 (3 %)
//
// With adaptive routing and 8 MB it resends none of 250,624 packets, and ours none in
// four of five seeds. The mean of five seeds is within 10 % of all of these figures, which TestReferenceRows checks,
// also with the specification's rules (cc = nscc). One habit is not copied: it marks and frees buffer when a
// transmission ends (tried: mean 1 % lower, a few trims more). One thing the reference does not do: a sender whose
// window is full asks for an ACK.
package fabric
