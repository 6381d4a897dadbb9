// Package distrust is a campaign against false passes: a table of ways to make a run compare nothing, the wrong data or
// old data, each played with the real goldwire binary. None may pass: not by its exit code, not in its text and not in
// its JSON, JUnit or HTML report.
//
// An attempt (Attempt) is a row: the preparation, the command, the sabotage before it or while it runs, the correct
// exit codes and what the output must show. Each has a control, the same command before the sabotage, which must pass:
// so a row cannot be green because the command is broken in general.
//
//	w, err := distrust.NewWorld(ctx, root)
//	all, err := distrust.All()
//	for _, a := range all {
//		if err := w.Try(ctx, &a); err != nil {
//			fmt.Println(a.Name, err)
//		}
//	}
//
// The designs are copies of testdata/tiny, a block of two adders, in build/distrust. `make distrust` plays all and
// prints a line for each; `make test` plays those that are Quick.
package distrust
