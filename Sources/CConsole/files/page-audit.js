/** The audit: each change with author, time, and the values before and after; and its verification. */
import { call, canCall } from "./api.js";
import { classes, h } from "./dom.js";
import { counted, time } from "./formats.js";
import { difference } from "./merge.js";
import { differenceView } from "./difference-view.js";
import { refresh } from "./refresh.js";
import { currentRoute, go, link } from "./routes.js";
import { actionButton, badge, emptyState, pageHead, problemNotice, scopesNotice, searchBox, tabs } from "./widgets.js";

const PAGE = 100;
const LOGS = [{ id: "documents", title: "Documents" }, { id: "administration", title: "Tokens, plugs and imports" }];

export function open() {
    const opened = new Set();
    let log = null, rows = [], isEnd = false, problem = null, isReading = false, verified = null, number = 0;

    const query = () => currentRoute().query;
    const wanted = () => query().get("log") ?? "documents";

    /** Reads the next rows. A newer reading wins over an older one. */
    async function read() {
        const own = ++number;
        isReading = true;
        problem = null;
        if (log !== wanted()) {
            log = wanted();
            rows = [];
            verified = null;
        }
        refresh();
        try {
            const page = await call("ListAudit", { limit: PAGE, before: rows.at(-1)?.row, log: log === "administration" ? log
                : undefined });
            if (own !== number) return;
            rows = [...rows, ...page];
            isEnd = page.length === 0 || page.at(-1).row <= 1;
        } catch (error) {
            if (own === number) problem = error;
        } finally {
            if (own === number) {
                isReading = false;
                refresh();
            }
        }
    }

    async function verify() {
        verified = { isRunning: true };
        refresh();
        try {
            verified = { result: await call("VerifyAudit") };
        } catch (error) {
            verified = { problem: error };
        }
        refresh();
    }

    function view() {
        if (!canCall("ListAudit")) return h("div", { class: "page" }, pageHead("Audit"), scopesNotice("ListAudit", "Reading the audit"));
        const text = (query().get("search") ?? "").toLowerCase();
        const shown = rows.filter((one) => searchText(one).includes(text));
        return h("div", { class: "page" },
            pageHead("Audit", "Every change has a row. Its hash covers the row and the previous hash.",
                searchBox(text, (value) => go(link("audit", [], { log: log === "documents" ? "" : log, search: value }), { replace: true }),
                    "Search rows"),
                actionButton("VerifyAudit", "Verify", { onclick: verify })),
            tabs(LOGS.map((one) => ({ ...one, href: link("audit", [], { log: one.id === "documents" ? "" : one.id }) })), wanted(), "Logs"),
            verified && verificationNotice(verified),
            problem && problemNotice(problem),
            rows.length === 0 && isReading && h("p", { class: "loading" }, "Loading …"),
            rows.length === 0 && !isReading && !problem && emptyState("The audit has no rows.", wanted() === "documents"
                ? "The first change of a document writes one." : "The first change of a token or a plug writes one."),
            rows.length > 0 && shown.length === 0 && h("p", { class: "empty", role: "status" },
                `None of the ${rows.length} loaded rows contains “${text}”.`),
            shown.length > 0 && h("div", { class: "table-frame" }, h("table", { class: "data audit" },
                h("thead", {}, h("tr", {}, ["Row", "Time", "Author", "Change", "Subject",
                    ""].map((title) => h("th", { scope: "col", key: title },
                    title || h("span", { class: "visually-hidden" }, "Details"))))),
                shown.map((one) => rowView(one, opened)))),
            rows.length > 0 && !isEnd && h("p", {}, h("button", { type: "button", disabled: isReading, onclick: read }, isReading
                ? "Loading …" : "Show older rows")));
    }

    return {
        title: "Audit", loaded: canCall("ListAudit") ? read() : undefined, view,
        accepts: (route) => route.page === "audit",
        routeChanged: () => log === wanted() ? undefined : read(),
    };
}

function searchText(one) {
    return `${one.row} ${one.authorName ?? ""} ${one.author} ${one.change} ${one.name ?? ""} ${one.environment ?? ""} ${one.reason ?? ""}`.toLowerCase();
}

function rowView(one, opened) {
    const isOpen = opened.has(one.row);
    const toggle = () => { isOpen ? opened.delete(one.row) : opened.add(one.row); refresh(); };
    return h("tbody", { key: String(one.row), class: classes(isOpen && "open") },
        h("tr", {},
            h("th", { scope: "row" }, String(one.row)),
            h("td", { "data-title": "Time" }, time(one.at, { style: "full" })),
            h("td", { "data-title": "Author" }, one.authorName ?? one.author, one.address && h("small", { class: "line" }, one.address)),
            h("td", { "data-title": "Change" }, badge(one.change)),
            h("td", { "data-title": "Subject" }, one.name ?? one.environment ?? "–", one.name && one.environment
                && h("span", { class: "muted" }, ` in ${one.environment}`), one.reason && h("small", { class: "line" }, one.reason)),
            h("td", { class: "commands" }, h("button", { type: "button", class: "small", "aria-expanded": String(isOpen), onclick: toggle },
                isOpen ? "Hide" : "Details"))),
        isOpen && h("tr", { class: "details" }, h("td", { colspan: "6" },
            one.before || one.after ? differenceView(changeOf(one)) : h("p", { class: "muted" }, "The row has no values."),
            h("dl", { class: "comparison" }, h("dt", {}, "Hash"), h("dd", {}, h("code", {}, one.hash)), h("dt", {}, "Previous"),
                h("dd", {}, h("code", {}, one.previous)),
                h("dt", {}, "Author"), h("dd", {}, h("code", {}, one.author))))));
}

/** The values before and after; the one of them if the other doesn't exist. */
function changeOf({ before, after }) {
    const [old, made] = [before, after].map((value) => value === undefined || value === null ? "" : JSON.stringify(value, null, 2));
    return difference(old, made);
}

function verificationNotice({ isRunning, result, problem }) {
    if (isRunning) return h("p", { class: "notice", role: "status" }, "Verifying the whole chain …");
    if (problem) return problemNotice(problem);
    const logs = [["Documents", result.documents], ["Administration", result.administration]].filter(([, log]) => log);
    return h("div", { class: result.unchanged ? "notice good" : "notice bad", role: result.unchanged ? "status" : "alert" },
        h("p", {}, result.unchanged ? "All rows are unchanged, and the stores match them."
            : "Rows were edited, removed, inserted or moved."),
        h("ul", {}, logs.map(([title, log]) => h("li", { key: title }, `${title}: ${counted(log.rows, "row")}, the last hash is `,
            h("code", {}, log.hash),
            log.findings.length > 0 && h("ul", {}, log.findings.map((text) => h("li", { key: text }, text)))))));
}
