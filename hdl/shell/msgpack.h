// The part of msgpack that control messages use: one map from strings to integers, booleans and strings.
// Anything else that a peer adds is skipped; every length is checked against the available bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gw::msgpack {

// Writes one map. The number of pairs is fixed at construction; at most 15.
class Writer {
 public:
  explicit Writer(unsigned pairs);
  Writer& put(const char* key, uint64_t v);
  Writer& put_int(const char* key, int64_t v);
  Writer& put_bool(const char* key, bool v);
  Writer& put(const char* key, const std::string& v);
  const std::string& bytes() const { return out_; }

 private:
  void str(const std::string& s);
  void uint(uint64_t v);
  void be(uint64_t v, int n);
  std::string out_;
};

// A parsed map. Getters return zero, false or "" for an absent key or null and throw Error("protocol")
// for a value of another kind or out of range.
class Map {
 public:
  Map(const uint8_t* data, size_t n);
  uint64_t u64(const char* key) const;
  std::string str(const char* key) const;

 private:
  enum class Kind { kNull, kUint, kNegative, kString, kOther };
  struct Value {
    Kind kind = Kind::kNull;
    uint64_t u = 0;
    std::string s;
  };
  uint8_t byte();
  uint64_t be(int n);
  Value value(int depth);
  void skip(uint64_t items, int depth);
  std::string text(uint64_t n);
  const Value* find(const char* key) const;

  const uint8_t* p_;
  const uint8_t* end_;
  std::vector<std::pair<std::string, Value>> pairs_;
};

}  // namespace gw::msgpack
