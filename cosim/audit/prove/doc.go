// Package prove proves properties of the RTL with Yosys, abc and z3. A proof covers every stimulus; a simulation tries
// only some.
//
//	hdl/prove/proofs.yaml     one row per proof: harness, parameters, engine, twins
//	hdl/prove/survivors.yaml  which survivors of the fault campaign are proven to change nothing, and how
//	hdl/prove/*.sv            the harnesses: ASSUME, PROVE and REACH (prove.svh)
//
// A row counts only when all of these hold:
//
//   - the engine itself reports that the property holds, up to the requested depth;
//   - the harness still has an assertion after elaboration;
//   - every REACH of the harness is reached under its assumptions, so that the assumptions are not vacuous;
//   - each twin, the same row on RTL with a planted fault, gives a counterexample.
//
// Everything else is a failure: an answer that is not understood, a timeout, a missing tool.
package prove
