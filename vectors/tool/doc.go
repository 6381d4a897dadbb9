// Package tool is what the packages below it share: they work on whole vector files, as the commands goldwire vectors
// bench, cut, diff, info, merge, show, suite and verify do. They parse no flags: a File is how a vector file is opened,
// as often as the tool needs to read it, and how an error is worded that its contents cause.
//
//	f, g := tool.Named(ctx, "random.gwv", os.Stdin), tool.Named(ctx, "incast.gwv", os.Stdin)
//	totals, err := merge.Files(w, h, []tool.File{f, g})
package tool
