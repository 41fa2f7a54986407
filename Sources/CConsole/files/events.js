/** Server-sent events by fetch, so that a bearer token and a cookie work alike. */
import { request } from "./api.js";
import { later } from "./polls.js";

/** Follows a stream of events and calls `receive(event, data)` for each. Connects again after 1, 2, 4 and then each 5 seconds, unless the
    person is idle or the server rejects the caller. Returns a function that ends it. `changed(isConnected, problem)` is called when the
    connection begins and ends; after an end with a problem there is no further attempt. */
export function follow(url, receive, changed) {
    const control = new AbortController();
    let delay = 1, cancel = () => {};
    const run = async () => {
        let problem;
        try {
            const response = await request("GET", url, { headers: { Accept: "text/event-stream" }, signal: control.signal });
            changed(true);
            for await (const { event, data } of events(response.body)) {
                delay = 1;
                receive(event, data);
            }
        } catch (error) {
            if ([401, 403, 404].includes(error.status)) problem = error;
        }
        if (control.signal.aborted) return;
        changed(false, problem);
        if (problem) return;
        cancel = later(delay, run);
        delay = Math.min(delay * 2, 5);
    };
    run();
    return () => {
        control.abort();
        cancel();
    };
}

/** The events of a stream, as the standard of server-sent events defines them; comments are skipped. */
export async function* events(body) {
    let event = "message", data = [];
    for await (const line of lines(body)) {
        if (line === "") {
            if (data.length > 0) yield { event, data: data.join("\n") };
            event = "message";
            data = [];
            continue;
        }
        const colon = line.indexOf(":");
        if (colon === 0) continue;
        const field = colon < 0 ? line : line.slice(0, colon);
        const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
        if (field === "event") event = value;
        else if (field === "data") data.push(value);
    }
}

/** The lines of a stream of bytes. A last line without an end is returned, too. */
export async function* lines(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    try {
        for (;;) {
            const { value, done } = await reader.read();
            if (done) break;
            const parts = (rest + value).split(/\r\n|\n|\r(?!$)/);
            rest = parts.pop();
            yield* parts;
        }
        if (rest !== "") yield rest;
    } finally {
        reader.cancel().catch(() => {});
    }
}
