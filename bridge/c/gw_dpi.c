/* The DPI side of gw_dpi_pkg.sv: checks what SystemVerilog hands over, calls gw_client, prints what it says. */
#include <stdio.h>
#include <string.h>
#include <svdpi.h>

#include "gw_client.h"

#ifdef __cplusplus
extern "C" {
#endif

void *gw_dpi_connect(const char *address, const char *block, const char *schema_hash, const char *params);
int gw_dpi_push(void *h, const char *stream, const svLogicVecVal *payload);
int gw_dpi_expect(void *h, const char *stream, const svLogicVecVal *payload);
int gw_dpi_finish(void *h);
int gw_dpi_reset(void *h);
void gw_dpi_close(void *h);

#ifdef __cplusplus
}
#endif

enum { BITS = 4096, WORDS = BITS / 32 };

static int say(const char *call, const char *text) {
  printf("%s: %s\n", call, text);
  fflush(stdout);
  return GW_BROKEN;
}

void *gw_dpi_connect(const char *address, const char *block, const char *schema_hash, const char *params) {
  char why[GW_ERROR_SIZE];
  gw_client *const g = gw_connect(address, block, schema_hash, params, why, sizeof why);
  if (g == NULL) say("gw_connect", why);
  return g;
}

/* split turns a vector into values and a mask of its X and Z bits, and returns the width of the stream. 0 when
 * there is no such stream or a bit beyond it is set: the struct is another's. */
static unsigned split(const char *call, gw_client *g, const char *stream, const svLogicVecVal *v, uint32_t *bits, uint32_t *unknown) {
  char text[256];
  const unsigned width = g == NULL ? 0 : gw_width(g, stream);
  if (width == 0 || width > BITS) {
    snprintf(text, sizeof text, "%s: %s", stream, g == NULL ? "no server is connected" : width == 0 ? "the block has no such stream" : "the stream is too wide for GW_BITS");
    say(call, text);
    return 0;
  }
  for (unsigned i = 0; i < WORDS; i++) {
    const unsigned in = width <= 32 * i ? 0 : width - 32 * i;
    const uint32_t beyond = in >= 32 ? 0 : ~(uint32_t)0 << in;
    bits[i] = v[i].aval & ~v[i].bval;
    unknown[i] = v[i].bval;
    if (((v[i].aval | v[i].bval) & beyond) != 0) {
      snprintf(text, sizeof text, "%s: the payload has bits beyond the stream's %u: is it the struct of this stream?", stream, width);
      say(call, text);
      return 0;
    }
  }
  return width;
}

int gw_dpi_push(void *h, const char *stream, const svLogicVecVal *payload) {
  uint32_t bits[WORDS], unknown[WORDS];
  const unsigned width = split("gw_push", (gw_client *)h, stream, payload, bits, unknown);
  if (width == 0) return GW_BROKEN;
  for (unsigned i = 0; i < WORDS; i++)
    if (unknown[i] != 0) return say("gw_push", "an event has bits that are X or Z");
  return gw_push((gw_client *)h, stream, bits, width) == 0 ? 0 : say("gw_push", gw_text((gw_client *)h));
}

int gw_dpi_expect(void *h, const char *stream, const svLogicVecVal *payload) {
  uint32_t bits[WORDS], unknown[WORDS];
  const unsigned width = split("gw_expect", (gw_client *)h, stream, payload, bits, unknown);
  if (width == 0) return GW_BROKEN;
  const int result = gw_expect((gw_client *)h, stream, bits, unknown, width);
  if (result != GW_MATCH) say("gw_expect", gw_text((gw_client *)h));
  return result;
}

int gw_dpi_finish(void *h) {
  const int result = h == NULL ? GW_BROKEN : gw_finish((gw_client *)h);
  if (result != GW_MATCH) say("gw_finish", h == NULL ? "no server is connected" : gw_text((gw_client *)h));
  return result;
}

int gw_dpi_reset(void *h) {
  if (h == NULL) return say("gw_reset", "no server is connected");
  return gw_reset((gw_client *)h) == 0 ? 0 : say("gw_reset", gw_text((gw_client *)h));
}

void gw_dpi_close(void *h) { gw_close((gw_client *)h); }
