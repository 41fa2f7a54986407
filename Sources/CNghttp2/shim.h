// libnghttp2: HTTP/2 framing and HPACK (RFC 9113, RFC 7541).
#ifndef CNGHTTP2_SHIM_H
#define CNGHTTP2_SHIM_H

#include <nghttp2/nghttp2.h>

#endif
