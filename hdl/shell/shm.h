// The file that both sides map: batches without a copy, and the step mailbox.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace gw {

class Shm {
 public:
  Shm() = default;
  Shm(const Shm&) = delete;
  Shm& operator=(const Shm&) = delete;
  ~Shm();

  void map(const std::string& file, uint64_t length);
  bool mapped() const { return base_ != nullptr; }
  // Returns the words at a byte offset; throws Error("protocol") unless all of them lie in the file.
  uint64_t* words(uint64_t offset, uint64_t count) const;

 private:
  void* base_ = nullptr;
  uint64_t length_ = 0;
};

// The DUT's end of the step mailbox; bridge/PROTOCOL.md, "step mailbox".
class Mailbox {
 public:
  struct Request {
    uint64_t cycles, max, until;
    const uint64_t* in;
    uint64_t* out;
  };

  void open(const Shm& shm, uint64_t req_off, uint64_t rsp_off, uint64_t capacity, size_t in_words, size_t out_words);
  bool open() const { return req_ != nullptr; }
  // Waits for a request that comes soon, spinning at first; returns whether it came.
  bool wait();
  // Announces to the client that the next request needs a doorbell; returns false when a request
  // arrived meanwhile.
  bool sleep();
  void wake();
  Request take() const;  // the pending request, bounds-checked
  void answer(uint64_t cycles, bool failed);

 private:
  bool pending() const;
  bool spin() const;
  bool announce(uint64_t how);

  uint64_t* device_ = nullptr;  // how the DUT waits
  uint64_t* client_ = nullptr;  // how the client waits, and how many ns the DUT spins
  uint64_t* req_ = nullptr;    // sequence, cycles and max, until, records
  uint64_t* rsp_ = nullptr;    // sequence, cycles and status, records
  uint64_t capacity_ = 0;
  uint64_t seq_ = 0;  // of the last request answered
};

}  // namespace gw
