// Package revision checks out and builds other revisions of the tree, in git worktrees.
//
//	commit, err := revision.Resolve(ctx, root, "HEAD~3")
//	tree, err := revision.Add(ctx, root, dir, commit)
//	defer tree.Remove(ctx)
//	err = tree.Build(ctx, filepath.Join(dir, "goldwire"))
package revision
