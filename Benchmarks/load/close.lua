-- One connection per request: accept, answer, close.
wrk.headers["Connection"] = "close"
