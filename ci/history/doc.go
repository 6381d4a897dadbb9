// Package history keeps what campaigns gave in one SQLite file: of every run its outcome, cost, missed coverage and
// first difference. From it come trends over nights and a ranking of tests. It stores what records say and nothing
// else; whatever is shown is computed from that when it is asked for.
//
//	db, err := history.Create("build/ci/history.db")
//	news, err := db.Add(ctx, campaigns...)
//	past, err := db.Last(ctx, "", 100)
//	trends := history.NewTrends(past, testpoints)
package history
