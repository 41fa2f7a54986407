/** Calls of the server's actions, by the names and paths in `/openapi.json`. */
import { credentials, hasScope, root, session, sessionEnded } from "./session.js";

/** An error response (RFC 9457), or a server that can't be reached (status 0). */
class Problem extends Error {
    constructor({ status, title, detail, errors = [] }, headers) {
        super(detail || title || `The server responded with status ${status}.`);
        this.status = status;
        this.title = title;
        this.errors = errors;
        this.headers = headers;
    }
}

const operations = new Map();
let description = null;

/** Reads the API's description once. */
export async function describe() {
    const response = await request("GET", "/openapi.json", { cache: "default" });
    description = await response.json();
    operations.clear();
    for (const [path, methods] of Object.entries(description.paths)) {
        for (const [method, operation] of Object.entries(methods)) {
            if (!operation.operationId) continue;
            operations.set(operation.operationId, { name: operation.operationId, method: method.toUpperCase(), path, ...operation });
        }
    }
}

/** The whole description, for the pages that show it. */
export function apiDescription() {
    return description;
}

/** The operation of an action: its method, path, parameters and responses; undefined if the server doesn't have it. */
export function operation(name) {
    return operations.get(name);
}

export function allOperations() {
    return [...operations.values()];
}

/** Whether an operation is the server's own, not the application's. */
export function isOwn({ tags = [] }) {
    return tags.includes("Plugboard");
}

/** The scopes of an action that the caller lacks. */
export function missingScopes(name) {
    const security = operations.get(name)?.security ?? [];
    if (security.some((one) => Object.keys(one).length === 0)) return [];
    return [...new Set(security.flatMap((one) => Object.values(one).flat()))].filter((scope) => !hasScope(scope));
}

/** Whether the action exists and the caller may call it. */
export function canCall(name) {
    return operations.has(name) && missingScopes(name).length === 0;
}

/** The request of an action: members go to the path and the query; `body` is text or a value. A request with a `fault`, a sentence, can't
    be sent. */
export function makeRequest(name, members = {}, { body, headers = {} } = {}) {
    const operation = operations.get(name);
    if (!operation) throw new Problem({ status: 0, detail: `The server has no action ${name}.` });
    const query = new URLSearchParams();
    const names = new Set((operation.parameters ?? []).filter((one) => one.in === "query").map((one) => one.name));
    for (const [member, value] of Object.entries(members)) {
        if (names.has(member) && value !== undefined && value !== null && value !== "") query.append(member, value);
    }
    // A browser would resolve `.` and `..` in a path, and send another request.
    const dots = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, member]) => members[member]).find((one) => /^\.{1,2}$/.test(one));
    const path = operation.path.replace(/\{(\w+)\}/g, (_, member) => encodeURIComponent(members[member] ?? ""));
    const isText = typeof body === "string";
    return {
        name, method: operation.method, url: path + (query.size ? "?" + query : ""),
        fault: dots === undefined ? null : `"${dots}" is no name.`,
        needsToken: (operation.security ?? []).length > 0,
        headers: body === undefined ? headers : { "Content-Type": "application/json", ...headers },
        body: body === undefined || isText ? body : JSON.stringify(body),
    };
}

/** Sends the request and returns the response's value; undefined for an empty body. */
export async function send(made) {
    const response = await request(made.method, made.url, made);
    const text = await response.text();
    return text === "" ? undefined : response.headers.get("Content-Type")?.includes("json") ? JSON.parse(text) : text;
}

/** Calls an action and returns the response's text as it is, with its entity tag. */
export async function readText(name, members) {
    const made = makeRequest(name, members);
    const response = await request(made.method, made.url, made);
    return { text: await response.text(), tag: response.headers.get("ETag") };
}

/** Calls an action. */
export function call(name, members, options) {
    return send(makeRequest(name, members, options));
}

/** Performs a request with the session's credentials. Throws a `Problem` for an error response. The browser stores no response. */
export async function request(method, url, { headers = {}, body, fault, signal, cache = "no-store" } = {}) {
    if (fault) throw new Problem({ status: 0, detail: fault });
    const sender = session();
    let response;
    try {
        response = await fetch(root + url, { method, body, signal, cache, headers: { ...headers, ...credentials() }, credentials: "same-origin" });
    } catch (error) {
        if (error.name === "AbortError") throw error;
        throw new Problem({ status: 0, detail: "The server can't be reached. Check that it runs, then try again." });
    }
    if (response.ok) return response;
    let problem = {};
    try {
        problem = JSON.parse(await response.text());
    } catch {
        problem.detail = `${method} ${url.split("?")[0]} failed with status ${response.status}.`;
    }
    if (response.status === 401) sessionEnded(sender);
    throw new Problem({ ...problem, status: response.status }, response.headers);
}

/** The curl line of a request. The token is a variable of the shell, so that the line contains no secret. */
export function curlLine({ method, url, headers = {}, body, needsToken }) {
    const words = ["curl"];
    if (method !== "GET" && !(method === "POST" && body !== undefined)) words.push("-X", method);
    words.push(quoted(location.origin + root + url));
    if (needsToken) words.push("-H", '"Authorization: Bearer $PLUGBOARD_TOKEN"');
    for (const [name, value] of Object.entries(headers)) words.push("-H", quoted(`${name}: ${value}`));
    if (body !== undefined) words.push("--data-raw", quoted(body));
    return words.join(" ");
}

/** A word of a shell command. */
export function quoted(word) {
    return /^[\w./:@%+,=-]+$/.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";
}
