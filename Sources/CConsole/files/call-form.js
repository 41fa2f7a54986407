/** A form that calls an action: its parameters, its body, the curl and Swift lines, and the response; streams are shown as they arrive. */
import { canCall, curlLine, makeRequest, missingScopes, request } from "./api.js";
import { events, lines } from "./events.js";
import { h } from "./dom.js";
import { refresh } from "./refresh.js";
import { exampleOf, limitsText, resolved, typeText } from "./schemas.js";
import { badge, copyable, field, missingScopeNote, problemNotice } from "./widgets.js";

const SHOWN_VALUES = 200;

/** The form of an operation. `stop` ends its stream. */
export function callForm(operation) {
    const fields = (operation.parameters ?? []).filter((one) => one.in !== "header" || one.name === "If-Match");
    const content = operation.requestBody?.content ?? {};
    const type = Object.keys(content)[0];
    const isBinary = type !== undefined && !type.includes("json");
    const streamType = ["text/event-stream", "application/jsonl"].find((one) => operation.responses["200"]?.content?.[one]);
    const values = Object.fromEntries(fields.map((one) => [one.name, one.required ? String(exampleOf(one.schema) ?? "") : ""]));
    let body = type && !isBinary ? JSON.stringify(exampleOf(content[type].schema), null, 2) : "";
    let result = null, problem = null, isRunning = false, control = null;

    function made() {
        const headers = Object.fromEntries(fields.filter((one) => one.in === "header"
            && values[one.name]).map((one) => [one.name, values[one.name]]));
        if (type && body !== "") headers["Content-Type"] = type;
        if (streamType) headers.Accept = streamType;
        return makeRequest(operation.name, values, { body: type && body !== "" ? compact(body) : undefined, headers });
    }

    async function run(event) {
        event.preventDefault();
        control = new AbortController();
        isRunning = true;
        problem = null;
        result = null;
        refresh();
        const begin = performance.now();
        try {
            const sent = made();
            const response = await request(sent.method, sent.url, { ...sent, signal: control.signal });
            result = { status: response.status, type: response.headers.get("Content-Type") ?? "", values: [], text: null };
            if (streamType && response.ok) await readStream(response);
            else result.text = await readBody(response);
            result.milliseconds = performance.now() - begin;
        } catch (error) {
            if (error.name !== "AbortError") problem = error;
        } finally {
            isRunning = false;
            refresh();
        }
    }

    async function readStream(response) {
        const values = streamType === "text/event-stream" ? events(response.body) : lines(response.body);
        for await (const value of values) {
            result.values = [...result.values.slice(1 - SHOWN_VALUES), typeof value === "string" ? value : value.data];
            refresh();
        }
    }

    function input(parameter) {
        const schema = resolved(parameter.schema);
        const set = (value) => { values[parameter.name] = value; refresh(); };
        if (schema.enum || schema.type === "boolean") {
            return h("select", { value: values[parameter.name], onchange: (event) => set(event.currentTarget.value) },
                ["", ...(schema.enum ?? ["true", "false"])].map((one) => h("option",
                    { key: String(one), value: one, selected: values[parameter.name] === one }, one)));
        }
        return h("input", { value: values[parameter.name], required: parameter.required, spellcheck: "false", placeholder: typeText(schema),
            oninput: (event) => set(event.currentTarget.value) });
    }

    function faultOf(name) {
        return problem?.errors?.find((one) => one.pointer === `/${name}`)?.detail;
    }

    function view() {
        const missing = missingScopes(operation.name), swift = swiftLine(operation, fields, values, type ? body : "");
        return h("form", { class: "card stack call", onsubmit: run },
            fields.length > 0 && h("div", { class: "fields" },
                fields.map((one) => field(one.name, input(one), { id: `call-${one.name}`, error: faultOf(one.name),
                    hint: limitsText(one.schema) || undefined }))),
            type && (isBinary ? h("p", { class: "muted" }, `The body is ${type}. Send it with curl.`)
                : field("Body", h("textarea", { rows: String(Math.min(14, body.split("\n").length + 1)), class: "code", spellcheck: "false",
                    value: body,
                    oninput: (event) => { body = event.currentTarget.value; refresh(); } }), { id: "call-body", hint: type })),
            copyable(curlLine(made()), "curl line"),
            swift !== null && copyable(swift, "Swift line"),
            h("div", { class: "editor-actions" },
                missing.length > 0 && missingScopeNote(missing),
                isRunning && streamType && h("button", { type: "button", key: "stop", onclick: () => control.abort() }, "Stop"),
                h("button", { class: "primary", key: "send", disabled: isRunning || !canCall(operation.name) || isBinary },
                    isRunning ? streamType ? "Streaming …" : "Working …" : `Send ${operation.method}`)),
            problem && problemNotice(problem),
            result && h("div", { class: "result stack", "aria-live": "polite" },
                h("p", {}, badge(String(result.status), "good"), ` ${result.type}`, result.milliseconds !== undefined
                    && h("span", { class: "muted" }, ` ${Math.round(result.milliseconds)} ms`)),
                result.text !== null && result.text !== "" && copyable(result.text, "response"),
                result.values.length > 0 && h("pre", { class: "stream", tabindex: "0", "aria-label": "Values of the stream" },
                    result.values.join("\n"))));
    }

    return { view, stop: () => control?.abort() };
}

async function readBody(response) {
    const text = await response.text();
    if (!response.headers.get("Content-Type")?.includes("json")) return text.slice(0, 100_000);
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, 200_000);
}

function compact(text) {
    try {
        return JSON.stringify(JSON.parse(text));
    } catch {
        return text;
    }
}

/** The call from Swift. Members of an object become arguments; null for another body, whose argument the description doesn't name. */
function swiftLine(operation, fields, values, body) {
    const members = fields.filter((one) => one.in !== "header"
        && values[one.name] !== "").map((one) => [one.name, swiftValue(values[one.name], resolved(one.schema))]);
    try {
        const value = body === "" ? {} : JSON.parse(body);
        if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
        for (const [name, member] of Object.entries(value)) members.push([name, swiftLiteral(member)]);
    } catch {
        // The body isn't JSON yet; the line shows the parameters.
    }
    const input = members.map(([name, value]) => `${name}: ${value}`).join(", ");
    return `let output = try await client.send(${operation.name}.self${input ? `, .init(${input})` : ""})`;
}

function swiftValue(text, { type }) {
    return [type].flat().some((one) => one === "integer" || one === "number" || one === "boolean") ? text : JSON.stringify(text);
}

function swiftLiteral(value) {
    if (value === null) return "nil";
    if (Array.isArray(value)) return `[${value.map(swiftLiteral).join(", ")}]`;
    return typeof value === "object" ? `.init(${Object.entries(value).map(([name, one]) => `${name}: ${swiftLiteral(one)}`).join(", ")})`
        : JSON.stringify(value);
}
