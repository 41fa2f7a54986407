"""Clients of a cluster: reads, and writes whose responses are compared with what the servers have afterwards."""
import http.client
import json
import threading
import time

from harness import PATIENCE, check, equal, eventually


class Clients:
    """Threads that send requests over a connection each until the block ends."""

    def __init__(self, port):
        self.port, self.count, self.failures = port, 0, []
        self.lock, self.ends = threading.Lock(), threading.Event()

    def rounds(self):
        """The functions of the threads: each takes `send` and performs one request."""
        raise NotImplementedError

    def __enter__(self):
        self.threads = [threading.Thread(target=self.run, args=(one,), daemon=True) for one in self.rounds()]
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.ends.set()
        for thread in self.threads:
            thread.join(PATIENCE * 4)
        check("each client ends", not any(thread.is_alive() for thread in self.threads))

    def run(self, perform):
        connection = None

        def send(method, path, body=None, fields=None):
            """The status and the body; None if the connection ends without a response."""
            nonlocal connection
            connection = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE * 4)
            body = None if body is None else json.dumps(body)
            fields = dict(fields or {}) | ({"Content-Type": "application/json"} if body else {})
            try:
                connection.request(method, path, body, fields)
                response = connection.getresponse()
                status, text, closes = response.status, response.read(), response.will_close
            except (OSError, http.client.HTTPException) as error:
                status, text, closes = None, repr(error).encode(), True
            if closes:
                connection.close()
                connection = None
            with self.lock:
                self.count += 1
                if status is None or status >= 500:
                    self.failures.append((method, path, status, text[:200]))
            return status, text

        while not self.ends.is_set():
            perform(send)
            time.sleep(0.001)  # the rate, not a wait: the clients leave the servers most of the machine


class Load(Clients):
    """Reads of what each server has in memory."""

    def rounds(self):
        for path in ("/behaviors.json", "/index.html", "/behaviors.json?country=LV"):
            yield lambda send, path=path: send("GET", path)


class Writes(Clients):
    """Writes of each kind, with what was acknowledged."""

    def __init__(self, port, token):
        super().__init__(port)
        self.token = token
        self.likes, self.keys, self.photos, self.published, self.tokens = 0, 0, [], [], []
        # Likes without a response, and requests with a key whose outcome is unknown.
        self.unanswered, self.unknown = 0, 0

    def rounds(self):
        yield self.like
        yield self.like
        yield self.like_once
        yield self.post
        yield self.publish
        yield self.make_token

    def like(self, send):
        status, _ = send("POST", "/photos/42/like", {"user": "ada"})
        with self.lock:
            self.likes += status == 200
            self.unanswered += status is None

    def like_once(self, send):
        """A request with a key is sent until it has a response, and done once. 409: its server was killed meanwhile."""
        self.keys += 1
        key = {"Idempotency-Key": f'"cluster-{self.keys}"'}
        # Also after the end: the last one has a response.
        status = eventually(lambda: {200: 200, 409: 409}.get(send("POST", "/photos/7/like", {"user": "ada"}, key)[0]))
        if status is None:
            check("each request with a key has a response", False)
        self.unknown += status != 200

    def post(self, send):
        status, text = send("POST", "/photos", {"title": f"photo {len(self.photos)}"})
        if status == 201 or status == 200:
            self.photos.append(json.loads(text))

    def publish(self, send):
        word = f"published-{len(self.published)}"
        body = [{"name": word, "actions": []}]
        status, text = send("PUT", "/behaviors/written", body, self.token)
        if status in (200, 201):
            self.published.append((json.loads(text)["revision"], word))

    def make_token(self, send):
        status, text = send("POST", "/tokens", {"name": f"token {len(self.tokens)}", "scopes": ["behaviors:read"]}, self.token)
        if status == 201:
            self.tokens.append(json.loads(text))
        time.sleep(0.05)  # the rate: a server has a limited number of tokens

    def verify(self, server):
        """Each acknowledged write is there, at this server."""
        total = server.send("POST", "/photos/42/like", {"user": "ada"}).json["likes"]
        self.likes += 1
        check(f"{self.likes} acknowledged likes are counted", self.likes <= total <= self.likes + self.unanswered,
              (total, self.likes, self.unanswered))
        total = server.send("POST", "/photos/7/like", {"user": "bob"}).json["likes"]
        server.send("DELETE", "/photos/7/like?user=bob")
        check(f"each of {self.keys} requests with a key was done once", self.keys - self.unknown <= total - 1 <= self.keys,
              (total, self.keys, self.unknown))
        photos = [(photo, server.send("GET", f"/photos/{photo['id']}")) for photo in self.photos]
        equal(f"{len(photos)} acknowledged photos are there", [photo for photo, response in photos if response.status != 200 or response.json != photo], [])
        lost = [number for number, word in self.published
                if word.encode() not in server.send("GET", f"/behaviors/written/revisions/{number}", fields=self.token).body]
        equal(f"{len(self.published)} acknowledged publishes are there", lost, [])
        bad = [made["info"]["id"] for made in self.tokens
               if server.send("GET", "/behaviors", fields={"Authorization": f"Bearer {made['token']}"}).status != 200]
        equal(f"{len(self.tokens)} acknowledged tokens are valid", bad, [])
