/** Tokens: made with scopes, shown once, rotated, revoked. The browsers that are signed in. */
import { call, canCall, makeRequest, operation } from "./api.js";
import { preview } from "./commands.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { time } from "./formats.js";
import { toast } from "./notices.js";
import { refresh } from "./refresh.js";
import { resource } from "./resource.js";
import { currentRoute, go, link } from "./routes.js";
import { resolved } from "./schemas.js";
import { actionButton, badge, copyable, emptyState, field, pageHead, problemNotice, scopesNotice, searchBox } from "./widgets.js";

const LIFETIMES = [[86_400, "1 day"], [2_592_000, "30 days"], [7_776_000, "90 days"], [31_536_000, "1 year"], [0, "no end"]];

export function open() {
    const tokens = resource(() => call("ListTokens"));
    const scopes = resource(readScopes);
    const sessions = resource(() => call("ListSessions"));
    const read = () => Promise.all([tokens.read(), canCall("ListSessions") && sessions.read()]);

    function view() {
        if (!canCall("ListTokens")) return h("div", { class: "page" }, pageHead("Tokens"), scopesNotice("ListTokens", "Reading tokens"));
        const text = (currentRoute().query.get("search") ?? "").toLowerCase();
        const list = tokens.value ?? [];
        const shown = list.filter((one) => `${one.id} ${one.name} ${one.scopes.join(" ")}`.toLowerCase().includes(text));
        return h("div", { class: "page" },
            pageHead("Tokens", "A token identifies a caller and lists its scopes. The server stores only its digest.",
                searchBox(text, (value) => go(link("tokens", [], { search: value }), { replace: true }), "Search tokens"),
                actionButton("CreateToken", "New token", { class: "primary", onclick: () => create(scopes.value ?? [], tokens.read) })),
            tokens.problem && problemNotice(tokens.problem),
            !tokens.value && tokens.isReading && h("p", { class: "loading" }, "Loading …"),
            tokens.value && list.length === 0 && emptyState("The server has no tokens.", "Make one here, or with the command:",
                "plugboard token create --scope admin --name ada"),
            list.length > 0 && shown.length === 0 && h("p", { class: "empty", role: "status" }, `No token contains “${text}”.`),
            shown.length > 0 && h("div", { class: "table-frame" }, h("table", { class: "data" },
                h("thead", {}, h("tr", {}, ["Name", "Scopes", "Last use", "Made", "Expires",
                    ""].map((title) => h("th", { scope: "col", key: title },
                    title || h("span", { class: "visually-hidden" }, "Commands"))))),
                h("tbody", {}, shown.map((one) => row(one, read))))),
            canCall("ListSessions") && sessionsTable(sessions));
    }

    const loaded = canCall("ListTokens") ? Promise.all([tokens.read(), scopes.read(), canCall("ListSessions") && sessions.read()]) : undefined;
    return { title: "Tokens", loaded, accepts: (route) => route.page === "tokens", view };
}

/** The scopes with a sentence each; only their names if the server has no list. */
async function readScopes() {
    if (!operation("ListScopes")) return scopeNames().map((name) => ({ name, description: "" }));
    return call("ListScopes");
}

/** The scopes that `CreateToken` accepts, from its schema. */
function scopeNames() {
    const schema = resolved(operation("CreateToken").requestBody.content["application/json"].schema);
    return schema.properties.scopes.items.enum ?? [];
}

function row(one, read) {
    const isExpired = one.expires && new Date(one.expires) < Date.now();
    return h("tr", { key: one.id },
        h("th", { scope: "row" }, one.name || h("span", { class: "muted" }, "no name"),
            h("small", { class: "line" }, h("code", {}, one.id))),
        h("td", { "data-title": "Scopes" }, h("span", { class: "badges" },
            one.scopes.map((scope) => badge(scope, scope === "admin" ? "accent" : "")))),
        h("td", { "data-title": "Last use" }, one.used ? time(one.used) : h("span", { class: "muted" }, "never")),
        h("td", { "data-title": "Made" }, time(one.created)),
        h("td", { "data-title": "Expires" }, one.expires ? time(one.expires) : h("span", { class: "muted" }, "never"), isExpired
            && [" ", badge("expired", "bad")]),
        h("td", { class: "commands" },
            actionButton("RotateToken", "Rotate", { class: "small", onclick: () => rotate(one, read) }),
            actionButton("RevokeToken", "Revoke", { class: "small", onclick: () => revoke(one, read) })));
}

function create(scopes, read) {
    const chosen = new Set();
    let name = "", lifetime = 7_776_000;
    preview({
        title: "New token", verb: "Make the token",
        fault: () => chosen.size === 0 ? "Choose at least one scope." : null,
        about: () => h("div", { class: "stack" },
            field("Name", h("input", { value: name, maxlength: "200", "data-first": true,
                oninput: (event) => { name = event.currentTarget.value; refresh(); } }),
                { hint: "A person's or program's name. Approvals need one." }),
            h("fieldset", {}, h("legend", {}, "Scopes"), h("div", { class: "checks" },
                scopes.map(({ name: scope, description }) => h("label", { class: "check", key: scope },
                h("input", {
                    type: "checkbox", checked: chosen.has(scope),
                    onchange: (event) => { event.currentTarget.checked ? chosen.add(scope) : chosen.delete(scope); refresh(); },
                }), h("span", {}, h("code", {}, scope), description && h("small", {}, description)))))),
            field("Lifetime", h("select", { value: String(lifetime),
                onchange: (event) => { lifetime = Number(event.currentTarget.value); refresh(); } },
                LIFETIMES.map(([seconds, title]) => h("option", { value: String(seconds), selected: seconds === lifetime }, title))))),
        request: () => makeRequest("CreateToken", {}, { body: { scopes: [...chosen], ...(name && { name }), lifetime } }),
        done: "The token is made.",
        after: async (value) => { showOnce(value); await read(); },
    });
}

/** Shows a token. It is in this dialog only, and leaves the page when the dialog closes. */
function showOnce({ token, info }) {
    let isCopied = false;
    openDialog(`Token of ${info.name || info.id}`, (close) => [
        h("div", { class: "dialog-body" }, h("p", {}, "Copy it now. The server stores only its digest, so it isn't shown again."),
            copyable(token, "token")),
        h("footer", {}, h("button", { type: "button", class: "primary", "data-first": true,
            onclick: () => { isCopied = true; close(); } }, "I have copied it")),
    ], { closed: () => {
        if (!isCopied) toast(`The token isn't shown again. If you haven't copied it, rotate the token of ${info.name || info.id}.`);
    } });
}

function rotate(one, read) {
    preview({
        title: `Rotate the token of ${one.name || one.id}`, verb: "Rotate", isDangerous: true,
        about: () => h("p", {}, "It gets a new secret. The old secret stops working at once; number, name and scopes stay."),
        request: makeRequest("RotateToken", { id: one.id }, { body: {} }), done: "The token has a new secret.",
        after: async (value) => { showOnce(value); await read(); },
    });
}

function revoke(one, read) {
    preview({
        title: `Revoke the token of ${one.name || one.id}`, verb: "Revoke", isDangerous: true,
        about: () => h("p", {},
            "It stops working at once, and its streams and sessions end. Its approvals no longer count. This can't be undone."),
        request: makeRequest("RevokeToken", { id: one.id }), done: "The token is revoked.", after: read,
    });
}

/** The browsers that are signed in to this server. */
function sessionsTable({ value, problem, read }) {
    return h("section", { class: "stack" },
        h("h2", {}, "Signed-in browsers"),
        problem && problemNotice(problem),
        value?.length === 0 && h("p", { class: "muted" }, "None. A browser that keeps a token in its memory isn't listed."),
        value?.length > 0 && h("div", { class: "table-frame" }, h("table", { class: "data" },
            h("thead", {}, h("tr", {}, ["Caller", "Address", "Last request", "Signed in", "Expires", ""].map((title) => h("th",
                { scope: "col", key: title }, title || h("span", { class: "visually-hidden" }, "Commands"))))),
            h("tbody", {}, value.map((one) => h("tr", { key: one.id },
                h("th", { scope: "row" }, one.name, one.isCurrent && [" ", badge("this browser", "accent")]),
                h("td", { "data-title": "Address" }, one.address ?? h("span", { class: "muted" }, "a Unix socket")),
                h("td", { "data-title": "Last request" }, time(one.used)),
                h("td", { "data-title": "Signed in" }, time(one.began)),
                h("td", { "data-title": "Expires" }, time(one.expires)),
                h("td", { class: "commands" },
                    actionButton("RevokeSession", "Sign out", { class: "small", onclick: () => endSession(one, read) }))))))));
}

function endSession(one, read) {
    preview({
        title: `Sign out the browser of ${one.name}`, verb: "Sign out", isDangerous: true,
        about: () => h("p", {}, one.isCurrent ? "It is this browser: you have to sign in again."
            : "Its session and its streams end at once. Revoke the token, too, if another person may have it."),
        request: makeRequest("RevokeSession", { id: one.id }), done: "The browser is signed out.", after: read,
    });
}
