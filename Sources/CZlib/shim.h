// zlib for gzip members (RFC 1952). These functions replace macros, which Swift can't import.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

#include <zlib.h>

// A window of 2^9 to 2^15 bytes; adding 16 selects gzip. A memory level of 1 to 9; zlib's default
// is 8. The state takes (1 << (window + 2)) + (1 << (memory + 9)) bytes.
static inline int czlib_deflate_init(z_stream *stream, int level, int window, int memory) {
    return deflateInit2(stream, level, Z_DEFLATED, window + 16, memory, Z_DEFAULT_STRATEGY);
}

static inline int czlib_inflate_init(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

#endif
