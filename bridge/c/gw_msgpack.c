#include "gw_msgpack.h"

#include <string.h>

static void put(struct gw_map *m, const void *data, size_t n) {
  if (n > sizeof m->bytes - m->size) {
    m->overflow = 1;
    return;
  }
  memcpy(m->bytes + m->size, data, n);
  m->size += n;
}

static void put_text(struct gw_map *m, const char *s) {
  const size_t n = strlen(s);
  const uint8_t head[3] = {0xda, (uint8_t)(n >> 8), (uint8_t)n};
  if (n > 0xffff) {
    m->overflow = 1;
    return;
  }
  put(m, head, sizeof head);
  put(m, s, n);
}

void gw_map_begin(struct gw_map *m, unsigned pairs) {
  const uint8_t head = (uint8_t)(0x80 | pairs);
  m->size = 0;
  m->overflow = pairs > 15;
  put(m, &head, 1);
}

void gw_map_uint(struct gw_map *m, const char *key, uint64_t v) {
  uint8_t b[9] = {0xcf};
  for (int i = 0; i < 8; i++) b[1 + i] = (uint8_t)(v >> (56 - 8 * i));
  put_text(m, key);
  put(m, b, sizeof b);
}

void gw_map_text(struct gw_map *m, const char *key, const char *v) {
  put_text(m, key);
  put_text(m, v);
}

/* What is left of a message, and one value of it. */
struct rest {
  const uint8_t *p;
  size_t n;
};

enum { DEPTH = 16 };

static int be(struct rest *r, unsigned bytes, uint64_t *v) {
  if (r->n < bytes) return -1;
  for (*v = 0; bytes > 0; bytes--, r->n--) *v = *v << 8 | *r->p++;
  return 0;
}

static int skip(struct rest *r, uint64_t bytes) {
  if (bytes > r->n) return -1;
  r->p += bytes;
  r->n -= (size_t)bytes;
  return 0;
}

static int take(struct rest *r, struct gw_value *v, int depth);

static int items(struct rest *r, uint64_t count, int depth) {
  struct gw_value v;
  if (depth >= DEPTH || count > r->n) return -1; /* each takes a byte or more */
  while (count-- > 0)
    if (take(r, &v, depth + 1) != 0) return -1;
  return 0;
}

static int text(struct rest *r, struct gw_value *v, uint64_t n) {
  v->kind = GW_STR;
  v->text = (const char *)r->p;
  v->size = (size_t)n;
  return skip(r, n);
}

/* take reads one value of any kind. Negative numbers are GW_OTHER: no message of the server has one. */
static int take(struct rest *r, struct gw_value *v, int depth) {
  uint64_t b, n;
  memset(v, 0, sizeof *v);
  if (be(r, 1, &b) != 0) return -1;
  v->kind = GW_UINT;
  if (b < 0x80) return v->number = b, 0;
  if ((b & 0xf0) == 0x80) return v->kind = GW_OTHER, items(r, 2 * (b & 15), depth);
  if ((b & 0xf0) == 0x90) return v->kind = GW_OTHER, items(r, b & 15, depth);
  if ((b & 0xe0) == 0xa0) return text(r, v, b & 31);
  if (b >= 0xcc && b <= 0xcf) return be(r, 1u << (b - 0xcc), &v->number);
  if (b >= 0xd0 && b <= 0xd3) { /* signed: a number that is not negative may come so */
    const unsigned bytes = 1u << (b - 0xd0);
    if (be(r, bytes, &v->number) != 0) return -1;
    if (v->number >> (8 * bytes - 1) != 0) v->kind = GW_OTHER;
    return 0;
  }
  if (b == 0xc2 || b == 0xc3) return v->number = b & 1, 0;
  if (b >= 0xd9 && b <= 0xdb) return be(r, 1u << (b - 0xd9), &n) != 0 ? -1 : text(r, v, n);
  v->kind = GW_OTHER;
  if (b >= 0xc4 && b <= 0xc6) return be(r, 1u << (b - 0xc4), &n) != 0 ? -1 : skip(r, n);
  if (b == 0xdc || b == 0xdd) return be(r, b == 0xdc ? 2 : 4, &n) != 0 ? -1 : items(r, n, depth);
  if (b == 0xde || b == 0xdf) return be(r, b == 0xde ? 2 : 4, &n) != 0 ? -1 : items(r, 2 * n, depth);
  if (b == 0xca || b == 0xcb) return skip(r, b == 0xca ? 4 : 8);
  if (b >= 0xd4 && b <= 0xd8) return skip(r, 1 + (1u << (b - 0xd4)));
  if (b >= 0xc7 && b <= 0xc9) return be(r, 1u << (b - 0xc7), &n) != 0 ? -1 : skip(r, n + 1);
  return b == 0xc0 || b >= 0xe0 ? 0 : -1; /* nil, a small negative number */
}

int gw_map_find(const uint8_t *bytes, size_t n, const char *key, struct gw_value *out) {
  struct rest r = {bytes, n};
  struct gw_value k;
  uint64_t b, pairs;
  int found = 0;
  memset(out, 0, sizeof *out);
  if (r.n == 0) return 0;
  (void)be(&r, 1, &b);
  if ((b & 0xf0) == 0x80)
    pairs = b & 15;
  else if ((b != 0xde && b != 0xdf) || be(&r, b == 0xde ? 2 : 4, &pairs) != 0)
    return GW_NOT_MAP;
  while (pairs-- > 0) {
    struct gw_value v;
    if (take(&r, &k, 0) != 0 || k.kind != GW_STR || take(&r, &v, 0) != 0) return GW_DAMAGED;
    if (!found && k.size == strlen(key) && memcmp(k.text, key, k.size) == 0) {
      *out = v;
      found = 1;
    }
  }
  if (r.n != 0) {
    out->size = r.n;
    return GW_TRAILING;
  }
  return found;
}
