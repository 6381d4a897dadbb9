// Package tool is what the packages below it share. They work on whole vector files for the commands goldwire vectors
// bench, cut, diff, info, merge, show, suite and verify, and parse no flags. A File opens a vector file as often as a
// tool needs to read it, and words the errors that its contents cause.
//
//	f, g := tool.Named(ctx, "random.gwv", os.Stdin), tool.Named(ctx, "incast.gwv", os.Stdin)
//	totals, err := merge.Files(w, h, []tool.File{f, g})
package tool
