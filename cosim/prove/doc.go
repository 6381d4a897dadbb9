// Package prove proves properties of the RTL with Yosys, abc and z3, for every stimulus where a simulation tries some.
//
//	hdl/prove/proofs.yaml     one row per proof: harness, parameters, engine, twins
//	hdl/prove/survivors.yaml  which survivors of the fault campaign are proven to change nothing, and how
//	hdl/prove/*.sv            the harnesses: ASSUME, PROVE and REACH (prove.svh)
//
// A row counts only when all of these hold:
//
//   - the engine says in its own words that the property holds, up to the depth that was asked for;
//   - the harness has an assertion left after elaboration;
//   - every REACH of the harness is reached under its assumptions, so that the assumptions are not vacuous;
//   - each twin, the same row on RTL with a planted fault, gives a counterexample.
//
// Everything else is a failure: an answer that is not understood, a limit of time, a tool that is missing.
package prove
