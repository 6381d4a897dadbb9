/* The part of msgpack that control messages use: a map with text keys, its values numbers and texts. */
#ifndef GW_MSGPACK_H
#define GW_MSGPACK_H

#include <stddef.h>
#include <stdint.h>

/* A map being written. */
struct gw_map {
  uint8_t bytes[2048];
  size_t size;
  int overflow;
};

void gw_map_begin(struct gw_map *m, unsigned pairs); /* at most 15 */
void gw_map_uint(struct gw_map *m, const char *key, uint64_t v);
void gw_map_text(struct gw_map *m, const char *key, const char *v);

enum gw_kind { GW_OTHER, GW_UINT, GW_STR };

/* A value that was read. A text is not terminated; it is part of the bytes read. */
struct gw_value {
  enum gw_kind kind;
  uint64_t number;
  const char *text;
  size_t size;
};

/* Why bytes are not a map and nothing else. */
enum { GW_NOT_MAP = -1, GW_DAMAGED = -2, GW_TRAILING = -3 };

/* gw_map_find looks a key up in a map of n bytes: 1 found, 0 absent, below 0 one of the above. After GW_TRAILING
 * out->size is the number of bytes that follow the map. No bytes are a map without keys. */
int gw_map_find(const uint8_t *bytes, size_t n, const char *key, struct gw_value *out);

#endif
