#include "session.h"

#include <unistd.h>

#include <algorithm>
#include <vector>

#include "bench.h"
#include "clock.h"

namespace gw {

namespace {

void same(const char* kind, const char* what, const std::string& ours, const std::string& theirs) {
  if (ours != theirs) throw Error(kind, what, ours, theirs);
}

}  // namespace

void Session::serve(const std::string& token) {
  try {
    hello(token);
    for (;;) {
      // After a step through the mailbox, the shell polls the mailbox for a while. After that, and
      // in all other modes, it waits on the socket, and a step needs a doorbell.
      if (mailbox_.open() && ((hot_ && mailbox_.wait()) || !mailbox_.sleep())) {
        step_mailbox();
        hot_ = true;
        continue;
      }
      const bool more = channel_.recv(frame_);
      mailbox_.wake();
      if (!more || !handle(frame_)) return;
    }
  } catch (const Error& e) {
    try {
      fail(e);
    } catch (const Error&) {
      // The client is gone too; the log reports the first error.
    }
    throw;
  }
}

void Session::fail(const Error& e) {
  channel_.send(Type::kError, msgpack::Writer(4)
                                  .put("kind", e.kind)
                                  .put("text", e.what())
                                  .put("ours", e.ours)
                                  .put("theirs", e.theirs));
}

void Session::hello(const std::string& token) {
  channel_.send(Type::kHello, msgpack::Writer(11)
                                  .put("version", kVersion)
                                  .put("block", kDesign.block)
                                  .put("schema_hash", kDesign.schema_hash)
                                  .put("params", kDesign.params)
                                  .put("in_words", kInWords)
                                  .put("out_words", kOutWords)
                                  .put("token", token)
                                  .put("simulator", simulator())
                                  .put("flags", kDesign.flags)
                                  .put_bool("trace", kDesign.waves)
                                  .put("pid", static_cast<uint64_t>(::getpid())));
  if (!channel_.recv(frame_)) throw Error("truncated", "the client left before its hello");
  if (frame_.type == Type::kError) {
    const auto m = frame_.map();
    throw Error(m.str("kind"), "the client refused: " + m.str("text"), m.str("theirs"), m.str("ours"));
  }
  if (frame_.type != Type::kHello) throw Error("protocol", "the client's first frame is not a hello");
  const auto m = frame_.map();
  same("version", "protocol version differs", std::to_string(kVersion), std::to_string(m.u64("version")));
  if (m.str("token") != token) throw Error("token", "session token differs");
  same("block", "block differs", kDesign.block, m.str("block"));
  same("schema-hash", "schema hash differs", kDesign.schema_hash, m.str("schema_hash"));
  same("params", "parameters differ", kDesign.params, m.str("params"));
  same("layout", "words of an input record differ", std::to_string(kInWords), std::to_string(m.u64("in_words")));
  same("layout", "words of an output record differ", std::to_string(kOutWords), std::to_string(m.u64("out_words")));
}

bool Session::handle(const Frame& f) {
  if (f.type != Type::kDoorbell) hot_ = false;
  switch (f.type) {
    case Type::kConfigure: configure(f.map()); return true;
    case Type::kBatch: batch(f); return true;
    case Type::kFinish:
      if (late_) {  // No batch came since: there is no run to stop.
        late();
      } else {
        replay_.finish();
      }
      return true;
    case Type::kStep: step(f); return true;
    case Type::kDoorbell:
      if (!mailbox_.open()) throw Error("protocol", "doorbell without a step mailbox");
      hot_ = true;
      return true;
    case Type::kBench: run_bench(f.map()); return true;
    case Type::kTrace: {
      need_model();
      const auto m = f.map();
      try {
        dut_.trace(m.str("file"), m.u64("from"), m.u64("cycles"));
      } catch (const Error& e) {
        fail(e);
        return true;
      }
      channel_.send(Type::kTraced, msgpack::Writer(0));
      return true;
    }
    case Type::kBye:
      // Before the answer, after which the client ends the process.
      if (!coverage_file_.empty()) dut_.write_coverage(coverage_file_);
      if (late_) late();
      channel_.send(Type::kBye, msgpack::Writer(0));
      return false;
    default: throw Error("protocol", "frame type " + std::to_string(static_cast<int>(f.type)) + " is not a request");
  }
}

void Session::need_model() const {
  if (!configured_) throw Error("protocol", "a request came before configure");
}

void Session::configure(const msgpack::Map& m) {
  const uint64_t seed = m.u64("seed"), reset = m.u64("reset");
  if (seed > 0xffffffff || reset > 2) throw Error("protocol", "configure with an impossible seed or reset mode");
  seed_ = static_cast<uint32_t>(seed);
  reset_ = static_cast<int>(reset);
  if (const std::string file = m.str("shm"); !file.empty()) {
    shm_.map(file, m.u64("shm_len"));
    mailbox_.open(shm_, m.u64("req_off"), m.u64("rsp_off"), m.u64("mbx_cyc"), kInWords, kOutWords);
  }
  late_.reset();
  dut_.create(seed_, reset_);
  replay_.clear();
  configured_ = true;
  channel_.send(Type::kConfigured, msgpack::Writer(0));
}

void Session::batch(const Frame& f) {
  need_model();
  if (late_) {
    replay_.stop(*late_);
    late_.reset();
  }
  const auto m = f.map();
  const uint64_t n = m.u64("cycles");
  if (n == 0 || n > (uint64_t{1} << 32)) throw Error("protocol", "batch of " + std::to_string(n) + " cycles");
  if (m.u64("shm") != 0) {
    replay_.batch(shm_.words(m.u64("in_off"), n * kInWords), shm_.words(m.u64("want_off"), n * kOutWords), n);
    return;
  }
  if (f.bulk.size() != n * (kInWords + kOutWords))
    throw Error("protocol", "batch of " + std::to_string(n) + " cycles carries " + std::to_string(f.bulk.size()) + " words");
  channel_.prefetch();
  replay_.batch(f.bulk.data(), f.bulk.data() + n * kInWords, n);
}

// Runs the n records, repeating the last one if necessary, until an output control bit of until is
// set or max cycles have run. Returns the number of cycles run. The clock edge of the last cycle is
// left to end_step: the answer is known before it, so the client can work in the meantime.
uint64_t Session::run_steps(const uint64_t* in, uint64_t n, uint64_t until, uint64_t max, uint64_t* out) {
  const uint64_t total = until != 0 ? max : n;
  for (uint64_t i = 0; i < total; i++) {
    if (i > 0) dut_.edge();
    uint64_t* const o = out + i * kOutWords;
    dut_.settle(in + std::min(i, n - 1) * kInWords, o);
    if ((o[0] & until) != 0) return i + 1;
    if (i % 256 == 255) beat_.tick(dut_.cycles());
  }
  return total;
}

// Executes the clock edge of the last cycle of a step. What the RTL reports there fails the next
// step, stops the next run, or is sent at finish or goodbye, whichever comes first.
void Session::end_step() {
  try {
    dut_.edge();
  } catch (const Error& e) {
    if (e.kind != "rtl") throw;
    late_ = e;
  }
}

void Session::late() {
  const Error e = *late_;
  late_.reset();
  rtl_error(e);
}

void Session::rtl_error(const Error& e) {
  channel_.send(Type::kError, msgpack::Writer(3).put("kind", e.kind).put("text", e.what()).put("cycle", dut_.cycles()));
}

void Session::step(const Frame& f) {
  need_model();
  const auto m = f.map();
  const uint64_t n = m.u64("cycles"), until = m.u64("until"), max = m.u64("max");
  if (n == 0 || (until != 0) != (max != 0) || n > (1u << 20) || max > (1u << 20) || f.bulk.size() != n * kInWords)
    throw Error("protocol", "step of " + std::to_string(n) + " cycles carries " + std::to_string(f.bulk.size()) + " words");
  if (late_) return late();
  std::vector<uint64_t> out(std::max(n, max) * kOutWords);
  try {
    const uint64_t ran = run_steps(f.bulk.data(), n, until, max, out.data());
    channel_.send(Type::kStepped, msgpack::Writer(1).put("cycles", ran), out.data(), ran * kOutWords);
  } catch (const Error& e) {
    if (e.kind != "rtl") throw;
    return rtl_error(e);
  }
  end_step();
}

void Session::step_mailbox() {
  need_model();
  const Mailbox::Request r = mailbox_.take();
  if (late_) {
    late();
    mailbox_.answer(0, true);
    return;
  }
  try {
    mailbox_.answer(run_steps(r.in, r.cycles, r.until, r.max, r.out), false);
  } catch (const Error& e) {
    if (e.kind != "rtl") throw;
    rtl_error(e);
    mailbox_.answer(0, true);
    return;
  }
  end_step();
}

void Session::run_bench(const msgpack::Map& m) {
  late_.reset();
  try {
    const BenchResult r = bench(dut_, m.str("file"), m.u64("reps"), seed_, reset_, [this](uint64_t n) { beat_.tick(n); });
    channel_.send(Type::kBenched, msgpack::Writer(3)
                                      .put("cycles", r.cycles)
                                      .put("ns", static_cast<uint64_t>(r.ns))
                                      .put("mismatches", r.mismatches));
  } catch (const Error& e) {
    fail(e);
  }
}

}  // namespace gw
