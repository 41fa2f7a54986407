/** The server: version, uptime, health, stores, certificates, and each option with its source. */
import { call, canCall } from "./api.js";
import { h } from "./dom.js";
import { time } from "./formats.js";
import { poll } from "./polls.js";
import { resource } from "./resource.js";
import { currentRoute, go, link } from "./routes.js";
import { badge, pageHead, problemNotice, scopesNotice, searchBox } from "./widgets.js";

const SECONDS = 10;

export function open() {
    const server = resource(() => call("GetServer"));
    let stop = () => {}, isLeft = false;
    const repeat = () => { if (!isLeft) stop = poll(SECONDS, server.read); };

    function view() {
        if (!canCall("GetServer")) return h("div", { class: "page" }, pageHead("Server"),
            scopesNotice("GetServer", "Reading the server's state"));
        const value = server.value;
        return h("div", { class: "page" },
            pageHead("Server", value && `Version ${value.version}, serves ${value.environment}`),
            server.problem && problemNotice(server.problem),
            !value && server.isReading && h("p", { class: "loading" }, "Loading …"),
            value && [
                h("div", { class: "cards three" }, healthCard(value), storesCard(value.stores), certificatesCard(value.certificates)),
                optionsTable(value.options),
            ]);
    }

    return {
        title: "Server", loaded: canCall("GetServer") ? server.read().then(repeat) : undefined, view,
        accepts: (route) => route.page === "server", leave: () => { isLeft = true; stop(); },
    };
}

function healthCard({ uptime, started, checks }) {
    const failing = checks.filter((one) => !one.passing);
    return h("section", { class: "card stack" },
        h("h2", {}, "Health ", badge(failing.length === 0 ? "ready" : `${failing.length} failing`, failing.length === 0 ? "good" : "bad")),
        h("dl", { class: "facts" }, h("dt", {}, "Uptime"), h("dd", {}, uptimeText(uptime)), h("dt", {}, "Started"),
            h("dd", {}, time(started, { style: "full" })),
            checks.map((one) => [h("dt", { key: `t${one.name}` }, one.name),
                h("dd", { key: `d${one.name}` }, badge(one.passing ? "passing" : "failing", one.passing ? "good" : "bad"),
                    one.use === "write" && " for writes")])));
}

function storesCard(stores) {
    return h("section", { class: "card stack" }, h("h2", {}, "Stores"),
        stores.length === 0 ? h("p", { class: "muted" }, "None. Start the server with --data to store changes.")
            : h("dl", { class: "facts" }, stores.map((one) => [h("dt", { key: `t${one.name}` }, one.name),
                h("dd", { key: `d${one.name}` }, `${one.kind} `, badge(one.loss ? "unavailable" : "healthy", one.loss ? "bad" : "good"),
                    one.loss && h("small", { class: "line" }, one.loss))])));
}

function certificatesCard(certificates) {
    return h("section", { class: "card stack" }, h("h2", {}, "Certificates"),
        certificates.length === 0 ? h("p", { class: "muted" }, "None: the server has no TLS.")
            : h("dl", { class: "facts" }, certificates.map((one) => [h("dt", { key: `t${one.name}` }, one.name),
                h("dd", { key: `d${one.name}` }, "expires ", time(one.expires), " ", expiryBadge(one.expires))])));
}

function expiryBadge(expires) {
    const days = (new Date(expires) - Date.now()) / 86_400_000;
    return days < 0 ? badge("expired", "bad") : days < 14 ? badge("renew it", "warn") : null;
}

/** "3 d 4 h", "12 s". */
function uptimeText(seconds) {
    const units = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
    const first = Math.max(0, units.findIndex(([length]) => seconds >= length));
    let rest = seconds;
    return (seconds < 1 ? [[1, "s"]] : units.slice(first, first + 2)).map(([length, unit]) => {
        const count = Math.floor(rest / length);
        rest -= count * length;
        return `${count} ${unit}`;
    }).join(" ");
}

function optionsTable(options) {
    const text = (currentRoute().query.get("search") ?? "").toLowerCase();
    const shown = options.filter((one) => `${one.name} ${JSON.stringify(one.value)} ${one.source ?? "default"}`.toLowerCase().includes(text));
    return h("section", { class: "stack" },
        h("div", { class: "page-head" }, h("h2", {}, "Options in force"),
            searchBox(text, (value) => go(link("server", [], { search: value }), { replace: true }), "Search options")),
        shown.length === 0 ? h("p", { class: "muted", role: "status" }, options.length === 0
            ? "The server has no command, so its program sets them." : `No option contains “${text}”.`)
            : h("div", { class: "table-frame" }, h("table", { class: "data" },
                h("thead", {}, h("tr", {}, ["Option", "Value", "Source"].map((title) => h("th", { scope: "col", key: title }, title)))),
                h("tbody", {}, shown.map((one) => h("tr", { key: one.name },
                    h("th", { scope: "row" }, h("code", {}, one.name)),
                    h("td", { "data-title": "Value" }, one.value === null || one.value.length === 0 ? h("span", { class: "muted" }, "none")
                        : h("code", {}, textOf(one.value))),
                    h("td", { "data-title": "Source" }, one.source ? badge(one.source, "accent")
                        : h("span", { class: "muted" }, "default"))))))));
}

function textOf(value) {
    return typeof value === "string" ? value : JSON.stringify(value);
}
