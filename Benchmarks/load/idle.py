#!/usr/bin/env python3
"""Holds idle keep-alive connections, each of which did one request.

    idle.py PORT COUNT

Prints how many connections were answered and are held, then keeps them until its standard input closes.
"""
import resource
import socket
import sys

REQUEST = b"GET /behaviors.json HTTP/1.1\r\nHost: localhost\r\n\r\n"


def read_answer(connection):
    """Reads one whole answer, so that nothing is left in flight; False where the server hung up instead."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return False
        received += piece
    head, _, body = received.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b":", 1) for line in head.split(b"\r\n")[1:])
    missing = int(fields[b"content-length"]) - len(body)
    while missing > 0:
        piece = connection.recv(65536)
        if not piece:
            return False
        missing -= len(piece)
    return True


def main():
    port, count = int(sys.argv[1]), int(sys.argv[2])
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + 100), hard))
    held = []
    try:
        while len(held) < count:
            connection = socket.create_connection(("127.0.0.1", port), timeout=5)
            connection.sendall(REQUEST)
            if not read_answer(connection):
                break
            held.append(connection)
    except OSError as error:
        print(f"idle.py: stopped at {len(held)}: {error}", file=sys.stderr)
    print(len(held), flush=True)
    sys.stdin.read()


main()
