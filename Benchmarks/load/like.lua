-- The typed action: an id from the path, a user from the JSON body.
wrk.method = "POST"
wrk.body = '{"user":"ada"}'
wrk.headers["Content-Type"] = "application/json"
