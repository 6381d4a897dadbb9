// Package reports shows the results of a campaign in the forms that other tools read: JUnit XML, a self-contained page,
// a job summary in Markdown, and annotations for GitHub. Each accounts for every planned run: it passed, failed, ended
// in an error, is missing, or was taken over from an earlier campaign.
//
//	r, err := reports.New(summary, head, ended)
//	err = r.WriteJUnit(w)
//
// A campaign that did not pass never looks as if it had: a JUnit file without a failed run gets its own case for the
// verdict, and a summary that is cut to GitHub's limit says so and keeps the verdict and the account.
package reports
