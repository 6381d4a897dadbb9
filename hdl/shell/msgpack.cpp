#include "msgpack.h"

#include "error.h"

namespace gw::msgpack {

Writer::Writer(unsigned pairs) {
  if (pairs > 15) throw Error("protocol", "control message with more than 15 keys");
  out_.push_back(static_cast<char>(0x80 | pairs));
}

void Writer::be(uint64_t v, int n) {
  for (int i = n - 1; i >= 0; i--) out_.push_back(static_cast<char>(v >> (8 * i)));
}

void Writer::str(const std::string& s) {
  if (s.size() < 32) {
    out_.push_back(static_cast<char>(0xa0 | s.size()));
  } else {
    out_.push_back(static_cast<char>(0xdb));
    be(s.size(), 4);
  }
  out_ += s;
}

void Writer::uint(uint64_t v) {
  if (v < 128) {
    out_.push_back(static_cast<char>(v));
  } else {
    out_.push_back(static_cast<char>(0xcf));
    be(v, 8);
  }
}

Writer& Writer::put(const char* key, uint64_t v) {
  str(key);
  uint(v);
  return *this;
}

Writer& Writer::put_int(const char* key, int64_t v) {
  str(key);
  if (v >= 0) {
    uint(static_cast<uint64_t>(v));
  } else {
    out_.push_back(static_cast<char>(0xd3));
    be(static_cast<uint64_t>(v), 8);
  }
  return *this;
}

Writer& Writer::put_bool(const char* key, bool v) {
  str(key);
  out_.push_back(static_cast<char>(v ? 0xc3 : 0xc2));
  return *this;
}

Writer& Writer::put(const char* key, const std::string& v) {
  str(key);
  str(v);
  return *this;
}

Map::Map(const uint8_t* data, size_t n) : p_(data), end_(data + n) {
  if (n == 0) return;
  const uint8_t b = byte();
  uint64_t count;
  if ((b & 0xf0) == 0x80) {
    count = b & 15;
  } else if (b == 0xde) {
    count = be(2);
  } else if (b == 0xdf) {
    count = be(4);
  } else {
    throw Error("protocol", "control message is not a map");
  }
  for (uint64_t i = 0; i < count; i++) {
    Value key = value(0);
    if (key.kind != Kind::kString) throw Error("protocol", "control message key is not a string");
    pairs_.emplace_back(std::move(key.s), value(0));
  }
  if (p_ != end_) throw Error("protocol", "bytes after the control message");
}

uint8_t Map::byte() {
  if (p_ == end_) throw Error("protocol", "control message ends early");
  return *p_++;
}

uint64_t Map::be(int n) {
  uint64_t v = 0;
  while (n-- > 0) v = v << 8 | byte();
  return v;
}

std::string Map::text(uint64_t n) {
  if (n > static_cast<uint64_t>(end_ - p_)) throw Error("protocol", "control message ends early");
  std::string s(reinterpret_cast<const char*>(p_), n);
  p_ += n;
  return s;
}

void Map::skip(uint64_t items, int depth) {
  // Each item takes at least one byte, so a count greater than the remaining bytes is wrong.
  if (items > static_cast<uint64_t>(end_ - p_)) throw Error("protocol", "control message ends early");
  while (items-- > 0) value(depth + 1);
}

Map::Value Map::value(int depth) {
  if (depth > 8) throw Error("protocol", "control message nested too deep");
  const uint8_t b = byte();
  auto uint = [](uint64_t u) { return Value{Kind::kUint, u, {}}; };
  auto sint = [](int64_t i) {
    return Value{i < 0 ? Kind::kNegative : Kind::kUint, static_cast<uint64_t>(i), {}};
  };
  auto other = [] { return Value{Kind::kOther, 0, {}}; };
  if (b < 0x80) return uint(b);
  if (b >= 0xe0) return sint(static_cast<int8_t>(b));
  if ((b & 0xe0) == 0xa0) return Value{Kind::kString, 0, text(b & 31)};
  if ((b & 0xf0) == 0x90) return skip(b & 15, depth), other();
  if ((b & 0xf0) == 0x80) return skip(2u * (b & 15), depth), other();
  switch (b) {
    case 0xc0: return Value{};
    case 0xc2: return uint(0);
    case 0xc3: return uint(1);
    case 0xcc: return uint(be(1));
    case 0xcd: return uint(be(2));
    case 0xce: return uint(be(4));
    case 0xcf: return uint(be(8));
    case 0xd0: return sint(static_cast<int8_t>(be(1)));
    case 0xd1: return sint(static_cast<int16_t>(be(2)));
    case 0xd2: return sint(static_cast<int32_t>(be(4)));
    case 0xd3: return sint(static_cast<int64_t>(be(8)));
    case 0xd9: return Value{Kind::kString, 0, text(be(1))};
    case 0xda: return Value{Kind::kString, 0, text(be(2))};
    case 0xdb: return Value{Kind::kString, 0, text(be(4))};
    case 0xc4: return text(be(1)), other();
    case 0xc5: return text(be(2)), other();
    case 0xc6: return text(be(4)), other();
    case 0xca: return be(4), other();
    case 0xcb: return be(8), other();
    case 0xdc: return skip(be(2), depth), other();
    case 0xdd: return skip(be(4), depth), other();
    case 0xde: return skip(2 * be(2), depth), other();
    case 0xdf: return skip(2 * be(4), depth), other();
    default: throw Error("protocol", "control message holds a value of an unknown kind");
  }
}

const Map::Value* Map::find(const char* key) const {
  for (const auto& [k, v] : pairs_)
    if (k == key && v.kind != Kind::kNull) return &v;
  return nullptr;
}

uint64_t Map::u64(const char* key) const {
  const Value* v = find(key);
  if (v == nullptr) return 0;
  if (v->kind != Kind::kUint) throw Error("protocol", std::string(key) + " is not a non-negative integer");
  return v->u;
}

std::string Map::str(const char* key) const {
  const Value* v = find(key);
  if (v == nullptr) return "";
  if (v->kind != Kind::kString) throw Error("protocol", std::string(key) + " is not a string");
  return v->s;
}

}  // namespace gw::msgpack
