// Package history keeps the results of campaigns in one SQLite file: outcome, cost, missed coverage and first
// difference of every run. Trends over nights and a ranking of tests are computed from it on request; the file stores
// only what records contain.
//
//	db, err := history.Create("build/ci/history.db")
//	news, err := db.Add(ctx, campaigns...)
//	past, err := db.Last(ctx, "", 100)
//	trends := history.NewTrends(past, testpoints)
package history
