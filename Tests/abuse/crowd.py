"""Many clients at once, without a thread for each."""
import collections
import contextlib
import re
import select
import socket
import struct
import time


class Crowd:
    """Connections that send what they are told to, and read or don't."""

    def __init__(self, server, count, first=b"", receive_buffer=None):
        self.received, self.poller, self.clients = {}, select.poll(), {}
        for _ in range(count):
            client = server.connect(receive_buffer)
            client.setblocking(False)
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.clients[client.fileno()] = client
            self.received[client.fileno()] = bytearray()
            self.poller.register(client.fileno(), select.POLLIN)
        if first:
            self.send(first)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __len__(self):
        return len(self.clients)

    def send(self, data):
        """Sends to each what its socket takes at once; one that is refused is over."""
        for number, client in list(self.clients.items()):
            try:
                client.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self.read(number)

    def send_all(self, data, seconds=10):
        """Sends all of it to each, reading nothing; false if that can't be done in time."""
        left, deadline = dict.fromkeys(self.clients, 0), time.monotonic() + seconds
        while left and time.monotonic() < deadline:
            for number in list(left):
                try:
                    left[number] += self.clients[number].send(memoryview(data)[left[number]:])
                except BlockingIOError:
                    time.sleep(0.001)
                    continue
                except OSError:
                    left.pop(number)
                    continue
                if left[number] == len(data):
                    left.pop(number)
        return not left

    def read(self, number, size=65536):
        client = self.clients[number]
        with contextlib.suppress(BlockingIOError):
            try:
                piece = client.recv(size)
            except BlockingIOError:
                raise
            except OSError:  # a reset is an end, too
                piece = b""
            self.received[number] += piece
            if not piece:
                self.poller.unregister(number)
                self.clients.pop(number).close()

    def receive(self, milliseconds=0, size=65536):
        for number, _ in self.poller.poll(milliseconds):
            self.read(number, size)

    def until_ended(self, seconds, drip=b"", pause=0.02, size=65536):
        """Reads, and sends `drip` again and again, until the server has ended all; false if it doesn't in time."""
        deadline = time.monotonic() + seconds
        while self.clients and time.monotonic() < deadline:
            if drip:
                self.send(drip)
            self.receive(int(pause * 1000), size)
            if drip:
                time.sleep(pause)
        return not self.clients

    def until(self, condition, seconds):
        """Reads until the condition holds."""
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            self.receive(20)
        return condition()

    def statuses(self):
        """How many got which final status as their last; None for no answer."""
        last = (re.findall(rb"HTTP/1\.1 ([2-5]\d\d) ", received) for received in self.received.values())
        return collections.Counter(int(found[-1]) if found else None for found in last)

    def reset(self):
        """Ends all with a reset, and not with a FIN."""
        for client in self.clients.values():
            with contextlib.suppress(OSError):
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()

    def close(self):
        for number, client in self.clients.items():
            self.poller.unregister(number)
            client.close()
        self.clients = {}
