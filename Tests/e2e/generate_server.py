"""The five modelled APIs of Tests/fixtures/openapi as one server, which checks what it receives."""
import json
import threading
from email.parser import BytesParser
from email.policy import HTTP
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USER = {"login": "ada", "id": 1, "type": "Robot", "site_admin": False}
REPOSITORY = {"id": 7, "name": "plug", "private": False, "owner": USER, "description": None, "topics": ["swift"],
              "pushed_at": "2026-01-31T10:00:00Z", "template_repository": {
                  "id": 3, "name": "base", "private": True, "owner": USER, "description": "A base"}}
ISSUE = {"id": 1, "number": 1, "title": "It fails", "state": "open", "state_reason": None, "user": None,
         "labels": ["bug", {"id": 1, "name": "urgent", "color": None, "default": False}],
         "reactions": {"total_count": 3, "+1": 2, "-1": 1}}
CUSTOMER = {"id": "cus_1", "object": "customer", "created": 5, "email": "ada@example.com"}
GONE = {"id": "cus_9", "object": "customer", "deleted": True}
CHARGES = [{"id": f"ch_{number}", "object": "charge", "amount": 100, "currency": "eur", "created": 1, "status": status,
            "metadata": {}, "customer": customer}
           for number, (status, customer) in enumerate([("succeeded", "cus_1"), ("pending", CUSTOMER), ("failed", GONE),
                                                        ("disputed", None), ("failed", [1])])]
COMPLETION = {"id": "c1", "object": "chat.completion", "created": 1, "model": "large",
              "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": None, "tool_calls": [
                  {"id": "t1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]}}],
              "usage": {"total_tokens": 9, "prompt_tokens": 4}}
FOLDER = {"name": "b", "folders": [{"name": "c", "parent": {"name": "b"}, "shared": {"with": ["ada"]}}]}


class Request:
    def __init__(self, handler):
        self.method, self.target, self.fields = handler.command, handler.path, handler.headers
        if handler.headers.get("Transfer-Encoding") == "chunked":
            self.body = b""
            while size := int(handler.rfile.readline(), 16):
                self.body += handler.rfile.read(size)
                handler.rfile.readline()
            handler.rfile.readline()
        else:
            self.body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.type = (handler.headers.get("Content-Type") or "").split(";")[0]

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def parts(self):
        """The parts of a multipart form: name, file name, type, content."""
        head = f"Content-Type: {self.fields['Content-Type']}\r\n\r\n".encode()
        return [(part.get_param("name", header="content-disposition"), part.get_filename(),
                 part.get_content_type() if part["Content-Type"] else None, part.get_payload(decode=True))
                for part in BytesParser(policy=HTTP).parsebytes(head + self.body).iter_parts()]


def answer(request):
    """The status, the fields and the body of a request's response."""
    place = f"{request.method} {request.target.split('?')[0]}"
    match place:
        case "GET /api/users/ada/repos":
            return 200, {"Link": '<https://code.example.com/api/users/ada/repos?page=2>; rel="next"'}, [REPOSITORY]
        case "GET /api/repos/ada/a%2Fb":
            return 404, {}, {"message": "Not Found", "documentation_url": "https://docs.example.com"}
        case "PATCH /api/repos/ada/plug":
            return 200, {}, REPOSITORY | {"description": json.dumps(request.json, sort_keys=True)}
        case "POST /api/repos/ada/plug/issues":
            if request.json["title"] == 7:
                return 422, {}, {"message": "Invalid", "errors": [{"code": "type", "field": "title", "value": 7}, {"code": "gone", "value": None}]}
            return 201, {}, ISSUE
        case "PUT /api/repos/ada/plug/issues/1/labels":
            return 200, {}, [{"name": name} for name in request.json]
        case "GET /api/repos/ada/plug/issues/1/events":
            return 200, {}, [{"event": "labeled", "label": {"name": "bug"}}, {"event": "renamed", "rename": {"from": "a", "to": "b"}},
                             {"event": "pinned", "by": "ada"}]
        case "GET /v1/charges":
            return 200, {}, {"object": "list", "url": "/v1/charges", "has_more": False, "data": CHARGES}
        case "POST /v1/charges":
            if b"amount=1&" in request.body + b"&":
                return 402, {}, {"error": {"type": "card_error", "code": "card_declined"}}
            return 200, {}, CHARGES[0]
        case "GET /v1/customers/cus_9":
            return 200, {}, GONE
        case "POST /v1/customers/cus_1":
            return 200, {}, CUSTOMER
        case "DELETE /v1/customers/cus_1":
            return 200, {}, GONE | {"id": "cus_1"}
        case "PUT /api/v3/pet" | "POST /api/v3/pet":
            return 200, {}, {name: value for name, value in request.json.items() if name != "secret"} | {"id": 7}
        case "GET /api/v3/pet/findByStatus":
            return 200, {}, [{"id": 1, "name": "a", "photoUrls": [], "status": "pending"}, {"id": 2, "name": "b", "photoUrls": [], "status": "lost"}]
        case "POST /api/v3/pet/7":
            return 200, {}, {"id": 7, "name": request.target.partition("?")[2], "photoUrls": []}
        case "POST /api/v3/pet/7/uploadImage":
            return 200, {}, {"code": 200, "type": "ok", "message": str(len(request.body))}
        case "GET /api/v3/store/inventory":
            return 200, {}, {"sold": 3, "lost": 1}
        case "POST /api/v3/animals":
            return 200, {}, request.json
        case "POST /v1/chat/completions":
            if request.json["model"] == "busy":
                return 429, {}, {"error": {"message": "Slow down", "code": None}}
            if request.json.get("stream"):
                return 200, {"Content-Type": "text/event-stream"}, b'data: {"delta":"Hel"}\n\ndata: {"delta":"lo"}\n\ndata: [DONE]\n\n'
            return 200, {}, COMPLETION
        case "POST /v1/embeddings":
            return 200, {}, {"object": "list", "data": [{"index": 0, "embedding": [0.5, -1]}]}
        case "POST /v1/audio/transcriptions":
            return 200, {}, {"text": "Hello"}
        case "POST /v1/audio/speech":
            return 200, {"Content-Type": "application/octet-stream"}, b"\x00\xff"
        case "GET /v1/files/file-1/content":
            return 200, {"Content-Type": "application/jsonl"}, b'{"role":"user","content":"a"}\n{"role":"judge","content":null}\n'
        case "PUT /storage/b/new":
            return 201, {}, {"name": "new"} | request.json
        case "PUT /storage/b/old":
            return 204, {}, b""
        case "PUT /storage/b/b/o/a%2F%C3%BC":
            return 200, {}, {"name": "a/ü", "size": 2 ** 64 - 1, "etag": '"2"', "Type": "image"}
        case "GET /storage/b/b/o/a%2F%C3%BC":
            return 206, {"Content-Type": "image/png"}, b"\xff\n"
        case "PATCH /storage/b/b/o/a":
            return 200, {"Content-Type": "application/vnd.storage+json"}, {"name": "a", "size": 3}
        case "GET /storage/b/b/o":
            return 200, {}, FOLDER
        case "POST /storage/notes/c%20d":
            return 200, {}, {"target": request.target, "body": request.json}
        case "DELETE /api/repos/ada/plug" | "PUT /api/user/starred/ada/plug" | "DELETE /storage/b/b/o/a" | "DELETE /api/v3/pet/7":
            return 204, {}, b""
    return 500, {}, {"unexpected": place}


class ModelServer:
    """Serves until the end of its `with`, and collects all requests."""

    def __init__(self):
        requests = self.requests = []

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                request = Request(self)
                requests.append(request)
                status, fields, body = answer(request)
                if not isinstance(body, bytes):
                    fields = {"Content-Type": "application/json"} | fields
                    body = json.dumps(body).encode()
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name, value)
                if status != 204:
                    self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = respond

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def find(self, place):
        """The requests of a method and a path, without the query."""
        return [request for request in self.requests if f"{request.method} {request.target.split('?')[0]}" == place]
