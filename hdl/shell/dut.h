// The Verilated design with its context, clocked one cycle at a time on packed records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "coverage.h"
#include "error.h"
#include "gw_build.h"  // written by the build: the port table and what the binary was built from
#include "hooks.h"
#include "verilated.h"

namespace gw {

class Waves;

// Adds a plusarg, including its +, for all models created from now on.
void add_plusarg(const std::string& arg);

class Dut {
 public:
  Dut();
  ~Dut();

  // Makes a new model whose registers start with values drawn from seed (reset 2), zeros (0), ones (1).
  void create(uint32_t seed, int reset);

  // Dumps cycles [from, from + count) of the model into file; count 0 ends a dump. Throws Error("trace")
  // when the binary was built without waves.
  void trace(const std::string& file, uint64_t from, uint64_t count);

  // Writes what all models so far have covered. Throws Error("coverage") when the binary was built without coverage,
  // or no model ran.
  void write_coverage(const std::string& file);

  uint64_t cycles() const { return cycles_; }  // since create

  // One clock cycle: inputs in, outputs sampled just before the rising edge into out. Throws Error("rtl").
  void cycle(const uint64_t* in, uint64_t* out) {
    settle(in, out);
    edge();
  }

  // The two halves of a cycle, for callers that answer between them: up to sampling the outputs,
  void settle(const uint64_t* in, uint64_t* out) {
    port::Model& m = *model_;
    port::drive(m, in);
    m.clk_i = 0;
    m.eval();
    if (kWaves) dump(0);
    port::sample(m, out);
    if (kToggles) coverage_.sample(in, out, m);
  }

  // and the rising edge, which reports the errors of both halves.
  void edge() {
    port::Model& m = *model_;
    m.clk_i = 1;
    m.eval();
    if (kWaves) dump(1);
    cycles_++;
    if (__builtin_expect(alarm_raised, 0)) throw Error("rtl", take_alarm());
  }

 private:
  void dump(unsigned phase);
  void take_coverage();

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<port::Model> model_;
  std::unique_ptr<Waves> waves_;
  uint64_t cycles_ = 0;
  Coverage coverage_;
};

}  // namespace gw
