// The session of the DUT process with its client.
#pragma once

#include <optional>
#include <string>

#include "channel.h"
#include "dut.h"
#include "replay.h"
#include "shm.h"

namespace gw {

class Session {
 public:
  explicit Session(Fd fd) : channel_(std::move(fd)), beat_(channel_), replay_(dut_, channel_, beat_) {}

  // Serves until the client says goodbye or the stream ends between frames. A failure that ends the
  // session is sent to the client and thrown.
  void serve(const std::string& token);

  // Names the file that what was covered is written to when the client says goodbye; see Dut::write_coverage.
  void cover(const std::string& file) { coverage_file_ = file; }

 private:
  void hello(const std::string& token);
  bool handle(const Frame& f);  // false after goodbye
  void configure(const msgpack::Map& m);
  void batch(const Frame& f);
  void step(const Frame& f);
  void step_mailbox();
  void end_step();
  void rtl_error(const Error& e);
  void late();  // sends the error of the clock edge after the last step
  void run_bench(const msgpack::Map& m);
  uint64_t run_steps(const uint64_t* in, uint64_t n, uint64_t until, uint64_t max, uint64_t* out);
  void fail(const Error& e);
  void need_model() const;

  Channel channel_;
  Beat beat_;
  Dut dut_;
  Replay replay_;
  Shm shm_;
  Mailbox mailbox_;
  Frame frame_{};
  std::string coverage_file_;  // "" for none
  bool configured_ = false;
  std::optional<Error> late_;  // of the clock edge after the last step
  bool hot_ = false;  // the last request came through the mailbox
  uint32_t seed_ = 0;
  int reset_ = 2;
};

}  // namespace gw
