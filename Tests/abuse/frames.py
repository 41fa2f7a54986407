"""HTTP/2 frames (RFC 9113 §4), as wrong as a scenario wants them; field blocks without compression (RFC 7541 §6.2)."""
import contextlib
import socket
import struct
import time

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
END_STREAM = ACK = 1
END_HEADERS, PADDED, PRIORITIZED = 4, 8, 32
HEADER_TABLE_SIZE, ENABLE_PUSH, MAX_CONCURRENT_STREAMS, INITIAL_WINDOW_SIZE, MAX_FRAME_SIZE = 1, 2, 3, 4, 5
(NO_ERROR, PROTOCOL_ERROR, INTERNAL_ERROR, FLOW_CONTROL_ERROR, SETTINGS_TIMEOUT, STREAM_CLOSED, FRAME_SIZE_ERROR,
 REFUSED_STREAM, CANCEL, COMPRESSION_ERROR, CONNECT_ERROR, ENHANCE_YOUR_CALM) = range(12)
OK = b"\x88"  # `:status: 200` in the static table


def frame(kind, flags=0, stream=0, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes((kind, flags)) + struct.pack(">I", stream) + payload


def number(value, prefix, first=0):
    """An integer (RFC 7541 §5.1)."""
    most = (1 << prefix) - 1
    if value < most:
        return bytes((first | value,))
    value, encoded = value - most, [first | most]
    while value >= 128:
        encoded.append(value & 127 | 128)
        value >>= 7
    return bytes((*encoded, value))


def text(value):
    return number(len(value), 7) + value


def field(name, value, indexed=False):
    """A literal field with its name spelt out; `indexed` adds it to the dynamic table."""
    return (b"\x40" if indexed else b"\x00") + text(name) + text(value)


def fields(method=b"GET", path=b"/photos/42", more=b""):
    return (field(b":method", method) + field(b":scheme", b"http") + field(b":authority", b"localhost") + field(b":path", path)
            + more)


def request(stream, method=b"GET", path=b"/photos/42", flags=END_STREAM | END_HEADERS, more=b""):
    return frame(HEADERS, flags, stream, fields(method, path, more))


def post(stream, length=None, path=b"/photos"):
    """A POST whose body is to come."""
    more = field(b"content-type", b"application/json")
    return request(stream, b"POST", path, END_HEADERS,
                   more + (field(b"content-length", b"%d" % length) if length is not None else b""))


def settings(*pairs):
    return frame(SETTINGS, payload=b"".join(struct.pack(">HI", *pair) for pair in pairs))


def reset(stream, code=CANCEL):
    return frame(RST_STREAM, 0, stream, struct.pack(">I", code))


def window(stream, increment):
    return frame(WINDOW_UPDATE, 0, stream, struct.pack(">I", increment))


def split(received):
    """The whole frames in these bytes: kind, flags, stream, payload."""
    found, start = [], 0
    while len(received) - start >= 9:
        length = int.from_bytes(received[start:start + 3], "big")
        if len(received) - start < 9 + length:
            break
        stream = int.from_bytes(received[start + 5:start + 9], "big") & 0x7FFFFFFF
        found.append((received[start + 3], received[start + 4], stream, bytes(received[start + 9:start + 9 + length])))
        start += 9 + length
    return found


class Peer:
    """A client that sends what it is told to, and sees the frames that come back."""

    def __init__(self, server, first=b"", preface=PREFACE + settings(), receive_buffer=None):
        self.socket = server.connect(receive_buffer)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received, self.ended = bytearray(), False
        self.send(preface + first)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def send(self, data):
        """Sends all of it, or as much as the server takes before it ends the connection; tells whether all went."""
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def until(self, condition=lambda peer: False, seconds=8):
        """Reads until the condition holds or the server has ended the connection; tells whether either came."""
        deadline = time.monotonic() + seconds
        while not self.ended and not condition(self) and time.monotonic() < deadline:
            self.socket.settimeout(0.2)
            with contextlib.suppress(TimeoutError):
                try:
                    piece = self.socket.recv(262_144)
                except ConnectionError:
                    piece = b""
                self.received += piece
                self.ended = not piece
        return self.ended or condition(self)

    @property
    def frames(self):
        return split(self.received)

    @property
    def goaway(self):
        """The code of the server's last GOAWAY; None without one."""
        codes = [int.from_bytes(payload[4:8], "big") for kind, _, _, payload in self.frames if kind == GOAWAY]
        return codes[-1] if codes else None

    def code(self, stream):
        """The code that the stream was reset with; None if it wasn't."""
        codes = [int.from_bytes(payload, "big") for kind, _, number, payload in self.frames
                 if kind == RST_STREAM and number == stream]
        return codes[0] if codes else None

    def answered(self, stream):
        return any(kind == HEADERS and number == stream for kind, _, number, _ in self.frames)

    def is_ok(self, stream):
        return any(kind == HEADERS and number == stream and OK in payload[:4] for kind, _, number, payload in self.frames)

    def settle(self, stream, seconds=8):
        """Waits for what becomes of a stream: "answered", ("reset", code), ("goaway", code) or "closed"."""
        self.until(lambda _: self.answered(stream) or self.code(stream) is not None or self.goaway, seconds)
        if self.goaway:
            return "goaway", self.goaway
        if self.code(stream) is not None:
            return "reset", self.code(stream)
        return "answered" if self.answered(stream) else "closed" if self.ended else "nothing"
