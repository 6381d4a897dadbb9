// Package conform checks any server or DUT of bridge/PROTOCOL.md against that page, from outside: each check opens its
// own connections, names what the page requires, and passes or reports what came instead.
//
//	results, err := conform.Run(ctx, conform.Target{Open: dial, Block: schema})
//	for _, r := range results { fmt.Println(r.Verdict, r.Name, r.Got) }
//
// It does not know what the block does. Where a check needs expected outputs it takes those that the server itself gave
// earlier, and tests that every way of asking gives the same answer. So it does not count the responses to an event
// either; there may be none or several.
package conform
