#include "gw_client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gw_layout.h"
#include "gw_msgpack.h"

enum { MOST_EVENTS = 4096 }; /* that wait before they are sent */

struct gw_client {
  struct gw_wire wire;
  struct gw_record in, out;
  uint64_t *events; /* records that wait to be sent */
  size_t waiting;
  int broken;
  char text[8 * GW_TEXT];
};

const char *gw_text(const gw_client *g) { return g->text; }

/* broken notes that nothing more can be asked: the conversation is over, or its state unknown. */
static int broken(gw_client *g) {
  g->broken = 1;
  snprintf(g->text, sizeof g->text, "%s", g->wire.text);
  return GW_BROKEN;
}

static int wrong(gw_client *g, const char *call, const char *stream, const char *why) {
  snprintf(g->text, sizeof g->text, "%s %s: %s", call, stream, why);
  return GW_BROKEN;
}

static int reply(gw_client *g, enum gw_type want) {
  const int type = gw_receive(&g->wire);
  if (type < 0) return -1;
  if (type != (int)want) return gw_fail(&g->wire, "the server answers with a frame of type %d, not %d", type, (int)want);
  return 0;
}

static int ask_for(gw_client *g, enum gw_type type, enum gw_type want) {
  return gw_send(&g->wire, type, NULL, 0, NULL, 0) != 0 ? -1 : reply(g, want);
}

/* same copies a value of the server's hello into ours, and fails when another was asked for. */
static int same(gw_client *g, struct gw_map *m, const char *key, const char *want) {
  const char *v;
  size_t n;
  char text[GW_TEXT];
  if (gw_find_text(&g->wire, key, &v, &n) < 0) return -1;
  if (n >= sizeof text) return gw_fail(&g->wire, "%s of the server is %zu characters long", key, n);
  memcpy(text, v, n);
  text[n] = 0;
  if (want != NULL && want[0] != 0 && strcmp(want, text) != 0)
    return gw_fail(&g->wire, "%s differs: ours %s, the server's %s; start the server for this block and these parameters", key, want, text);
  gw_map_text(m, key, text);
  return 0;
}

/* serves tells whether the hello announces a request. */
static int serves(gw_client *g, const char *request) {
  const char *list;
  size_t n;
  const size_t k = strlen(request);
  if (gw_find_text(&g->wire, "requests", &list, &n) < 0) return -1;
  for (size_t i = 0; i + k <= n; i++)
    if (memcmp(list + i, request, k) == 0 && (i == 0 || list[i - 1] == ',') && (i + k == n || list[i + k] == ',')) return 1;
  return 0;
}

static int greet(gw_client *g, const char *block, const char *schema_hash, const char *params) {
  struct gw_map m;
  uint64_t version, in_words, out_words;
  const char *const token = getenv("GW_TOKEN");
  if (reply(g, GW_HELLO) != 0) return -1;
  if (gw_find_uint(&g->wire, "version", &version) < 0 || gw_find_uint(&g->wire, "in_words", &in_words) < 0 ||
      gw_find_uint(&g->wire, "out_words", &out_words) < 0)
    return -1;
  if (version != 1) return gw_fail(&g->wire, "protocol version differs: ours 1, the server's %" PRIu64, version);
  if (in_words == 0 || in_words > 4096 || out_words == 0 || out_words > 4096)
    return gw_fail(&g->wire, "the server has records of %" PRIu64 " and %" PRIu64 " words", in_words, out_words);
  if (serves(g, "ask") <= 0 || serves(g, "describe") <= 0)
    return gw_fail(&g->wire, "the server takes cycles, not events; use goldwire serve, or one that announces ask and describe");
  g->in.words = (unsigned)in_words;
  g->out.words = (unsigned)out_words;
  gw_map_begin(&m, 7);
  gw_map_uint(&m, "version", version);
  if (same(g, &m, "block", block) != 0 || same(g, &m, "schema_hash", schema_hash) != 0 || same(g, &m, "params", params) != 0) return -1;
  gw_map_uint(&m, "in_words", in_words);
  gw_map_uint(&m, "out_words", out_words);
  gw_map_text(&m, "token", token != NULL ? token : "");
  if (m.overflow) return gw_fail(&g->wire, "the hello does not fit: shorten GW_TOKEN");
  return gw_send(&g->wire, GW_HELLO, m.bytes, m.size, NULL, 0);
}

static int layout(gw_client *g) {
  const char *in, *out;
  size_t ni, no;
  if (ask_for(g, GW_DESCRIBE, GW_DESCRIBED) != 0) return -1;
  if (gw_find_text(&g->wire, "in", &in, &ni) < 0 || gw_find_text(&g->wire, "out", &out, &no) < 0) return -1;
  if (gw_layout_parse(&g->wire, &g->in, in, ni, g->in.words) != 0 || gw_layout_parse(&g->wire, &g->out, out, no, g->out.words) != 0) return -1;
  g->events = (uint64_t *)calloc(MOST_EVENTS, g->in.words * sizeof *g->events);
  return g->events == NULL ? gw_fail(&g->wire, "no memory for events") : 0;
}

gw_client *gw_connect(const char *address, const char *block, const char *schema_hash, const char *params, char *why, size_t why_size) {
  gw_client *const g = (gw_client *)calloc(1, sizeof *g);
  if (g == NULL) {
    snprintf(why, why_size, "no memory");
    return NULL;
  }
  g->wire.fd = -1;
  if (gw_dial(&g->wire, address) == 0 && greet(g, block, schema_hash, params) == 0 && layout(g) == 0 &&
      ask_for(g, GW_CONFIGURE, GW_CONFIGURED) == 0)
    return g;
  snprintf(why, why_size, "%s", g->wire.text);
  g->broken = 1;
  gw_close(g);
  return NULL;
}

void gw_close(gw_client *g) {
  if (g == NULL) return;
  if (!g->broken) (void)ask_for(g, GW_BYE, GW_BYE); /* it ends either way */
  gw_hang_up(&g->wire);
  gw_layout_free(&g->in);
  gw_layout_free(&g->out);
  free(g->events);
  free(g);
}

/* keep puts a response record into the queue of its stream. */
static int keep(gw_client *g, size_t at) {
  const uint64_t control = gw_word(&g->wire, at);
  const size_t words = g->out.words;
  struct gw_stream *s = NULL;
  for (size_t i = 0; i < g->out.count; i++) {
    if ((control >> g->out.streams[i].valid & 1) == 0) continue;
    if (s != NULL) return gw_fail(&g->wire, "the server gives one response of two streams, %s and %s", s->name, g->out.streams[i].name);
    s = &g->out.streams[i];
  }
  if (s == NULL) return gw_fail(&g->wire, "the server gives a response of no stream");
  if (s->head == s->tail) s->head = s->tail = 0;
  if (s->tail == s->room) {
    const size_t room = s->room == 0 ? 64 : 2 * s->room;
    uint64_t *const q = (uint64_t *)realloc(s->queue, room * words * sizeof *q);
    if (q == NULL) return gw_fail(&g->wire, "no memory for responses");
    s->queue = q;
    s->room = room;
  }
  for (size_t w = 0; w < words; w++) s->queue[s->tail * words + w] = gw_word(&g->wire, at + w);
  s->tail++;
  return 0;
}

/* flush sends the events that wait and keeps the responses. */
static int flush(gw_client *g) {
  struct gw_map m;
  uint64_t responses;
  if (g->broken) return GW_BROKEN;
  if (g->waiting == 0) return 0;
  gw_map_begin(&m, 1);
  gw_map_uint(&m, "events", g->waiting);
  if (gw_send(&g->wire, GW_ASK, m.bytes, m.size, g->events, g->waiting * g->in.words) != 0 || reply(g, GW_ANSWER) != 0 ||
      gw_find_uint(&g->wire, "responses", &responses) < 0)
    return broken(g);
  g->waiting = 0;
  if (responses > GW_MAX_BULK || g->wire.bulk_size != responses * g->out.words * 8) {
    gw_fail(&g->wire, "an answer of %" PRIu64 " responses carries %u bytes", responses, g->wire.bulk_size);
    return broken(g);
  }
  for (uint64_t i = 0; i < responses; i++)
    if (keep(g, (size_t)i * g->out.words) != 0) return broken(g);
  return 0;
}

/* stream_of finds a stream and checks the width of what is meant to be its payload. */
static struct gw_stream *stream_of(gw_client *g, const struct gw_record *r, const char *call, const char *stream, unsigned width) {
  struct gw_stream *const s = gw_layout_find(r, stream);
  char why[128];
  if (s == NULL) {
    const struct gw_record *const other = r == &g->in ? &g->out : &g->in;
    wrong(g, call, stream, gw_layout_find(other, stream) != NULL ? "the stream goes the other way" : "the block has no such stream");
    return NULL;
  }
  if (width != s->width) {
    snprintf(why, sizeof why, "the payload is %u bits wide, the stream's is %u", width, s->width);
    wrong(g, call, stream, why);
    return NULL;
  }
  return s;
}

int gw_push(gw_client *g, const char *stream, const uint32_t *bits, unsigned width) {
  const struct gw_stream *const s = stream_of(g, &g->in, "push", stream, width);
  if (s == NULL || g->broken) return GW_BROKEN;
  gw_layout_pack(s, bits, g->events + g->waiting * g->in.words, g->in.words);
  return ++g->waiting == MOST_EVENTS ? flush(g) : 0;
}

/* next returns the stream's next response, NULL with *error when there is none or it cannot be had. */
static const uint64_t *next(gw_client *g, struct gw_stream *s, int *error) {
  *error = 0;
  if (s->head == s->tail && (*error = flush(g)) != 0) return NULL;
  return s->head == s->tail ? NULL : s->queue + s->head++ * g->out.words;
}

int gw_pull(gw_client *g, const char *stream, uint32_t *bits, unsigned width) {
  int error;
  struct gw_stream *const s = stream_of(g, &g->out, "pull", stream, width);
  if (s == NULL || g->broken) return GW_BROKEN;
  const uint64_t *const want = next(g, s, &error);
  if (want == NULL) return error;
  s->seen++;
  gw_layout_unpack(s, want, bits);
  return 1;
}

/* number writes one field as a person reads it. */
static void number(char *dst, size_t n, const struct gw_field *f, const uint32_t *bits) {
  if (f->width <= 64) {
    const uint64_t v = gw_bits_get(bits, f->lsb, f->width);
    if (f->is_signed && v >> (f->width - 1) != 0)
      snprintf(dst, n, "%" PRId64, (int64_t)(f->width == 64 ? v : v | ~(uint64_t)0 << f->width));
    else
      snprintf(dst, n, "%" PRIu64, v);
    return;
  }
  size_t at = (size_t)snprintf(dst, n, "0x");
  for (unsigned d = (f->width + 3) / 4; d-- > 0 && at + 1 < n;) {
    const unsigned left = f->width - 4 * d;
    at += (size_t)snprintf(dst + at, n - at, "%x", (unsigned)gw_bits_get(bits, f->lsb + 4 * d, left < 4 ? left : 4));
  }
}

static int differs(const struct gw_field *f, const uint32_t *a, const uint32_t *b) {
  for (unsigned done = 0; done < f->width; done += 64) {
    const unsigned n = f->width - done < 64 ? f->width - done : 64;
    if (gw_bits_get(a, f->lsb + done, n) != gw_bits_get(b, f->lsb + done, n)) return 1;
  }
  return 0;
}

static int zero(const struct gw_field *f, const uint32_t *a) {
  for (unsigned i = 0; i < f->width; i++)
    if (a[(f->lsb + i) / 32] >> (f->lsb + i) % 32 & 1) return 0;
  return 1;
}

int gw_expect(gw_client *g, const char *stream, const uint32_t *bits, const uint32_t *unknown, unsigned width) {
  int error;
  struct gw_stream *const s = stream_of(g, &g->out, "expect", stream, width);
  if (s == NULL || g->broken) return GW_BROKEN;
  const uint64_t *const want = next(g, s, &error);
  if (want == NULL) {
    if (error != 0) return error;
    snprintf(g->text, sizeof g->text, "%s %llu: the model gives no response here", stream, s->seen++);
    return GW_MISMATCH;
  }
  uint32_t *const w = (uint32_t *)malloc((width + 31) / 32 * sizeof *w);
  if (w == NULL) return wrong(g, "expect", stream, "no memory");
  gw_layout_unpack(s, want, w);
  size_t at = (size_t)snprintf(g->text, sizeof g->text, "%s %llu:", stream, s->seen++);
  int result = GW_MATCH;
  for (size_t i = 0; i < s->count; i++) {
    const struct gw_field *const f = &s->fields[i];
    char model[300], device[300];
    const int x = unknown != NULL && !zero(f, unknown);
    if (!x && !differs(f, w, bits)) continue;
    number(model, sizeof model, f, w);
    number(device, sizeof device, f, bits);
    if (at < sizeof g->text)
      at += (size_t)snprintf(g->text + at, sizeof g->text - at, "%s %s want %s got %s", result == GW_MATCH ? "" : ",", f->name, model, x ? "X" : device);
    result = GW_MISMATCH;
  }
  if (result == GW_MATCH) g->text[0] = 0;
  free(w);
  return result;
}

int gw_finish(gw_client *g) {
  size_t at = 0;
  if (flush(g) != 0) return GW_BROKEN;
  for (size_t i = 0; i < g->out.count; i++) {
    const struct gw_stream *const s = &g->out.streams[i];
    if (s->head != s->tail && at < sizeof g->text)
      at += (size_t)snprintf(g->text + at, sizeof g->text - at, "%s%s: %zu responses of the model were never expected", at > 0 ? "; " : "", s->name, s->tail - s->head);
  }
  return at > 0 ? GW_MISMATCH : GW_MATCH;
}

int gw_reset(gw_client *g) {
  if (g->broken) return GW_BROKEN;
  g->waiting = 0;
  for (size_t i = 0; i < g->out.count; i++) g->out.streams[i].head = g->out.streams[i].tail = 0;
  return ask_for(g, GW_CONFIGURE, GW_CONFIGURED) != 0 ? broken(g) : 0;
}

unsigned gw_width(const gw_client *g, const char *stream) {
  const struct gw_stream *s = gw_layout_find(&g->in, stream);
  if (s == NULL) s = gw_layout_find(&g->out, stream);
  return s == NULL ? 0 : s->width;
}

static const struct gw_field *field_of(gw_client *g, const char *call, const char *stream, const char *field) {
  const struct gw_stream *s = gw_layout_find(&g->in, stream);
  if (s == NULL) s = gw_layout_find(&g->out, stream);
  for (size_t i = 0; s != NULL && i < s->count; i++)
    if (strcmp(s->fields[i].name, field) == 0) return &s->fields[i];
  snprintf(g->text, sizeof g->text, "%s %s.%s: the block has no such field", call, stream, field);
  return NULL;
}

int gw_set(gw_client *g, const char *stream, const char *field, uint32_t *bits, uint64_t value) {
  const struct gw_field *const f = field_of(g, "set", stream, field);
  if (f == NULL) return GW_BROKEN;
  const uint64_t top = f->width < 64 ? value >> f->width : 0;
  const int negative = f->is_signed && f->width < 64 && value >> (f->width - 1) == UINT64_MAX >> (f->width - 1);
  if (top != 0 && !negative) {
    snprintf(g->text, sizeof g->text, "set %s.%s: %#" PRIx64 " does not fit its %u bits", stream, field, value, f->width);
    return GW_BROKEN;
  }
  gw_bits_set(bits, f->lsb, f->width < 64 ? f->width : 64, value);
  return 0;
}

int gw_get(gw_client *g, const char *stream, const char *field, const uint32_t *bits, uint64_t *value) {
  const struct gw_field *const f = field_of(g, "get", stream, field);
  if (f == NULL) return GW_BROKEN;
  *value = gw_bits_get(bits, f->lsb, f->width < 64 ? f->width : 64);
  return 0;
}
