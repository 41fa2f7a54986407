/** The list of documents: for each, the live revision of every environment. */
import { call, canCall } from "./api.js";
import { servedFile, servedOf } from "./behavior-state.js";
import { h } from "./dom.js";
import { openDialog } from "./dialogs.js";
import { counted, percentText, sinceText, time } from "./formats.js";
import { nameFault } from "./names.js";
import { refresh } from "./refresh.js";
import { resource } from "./resource.js";
import { currentRoute, go, link } from "./routes.js";
import { actionButton, badge, emptyState, field, pageHead, problemNotice, scopesNotice, searchBox } from "./widgets.js";

/** Reads the environments, and the documents of each: the reports by name and environment. */
async function readDocuments() {
    const [known, overview] = await Promise.all([call("ListEnvironments"), call("GetOverview")]);
    const documents = new Map();
    for (const report of overview.documents) {
        documents.set(report.name, (documents.get(report.name) ?? new Map()).set(report.environment, report));
    }
    const served = servedOf(known);
    const file = documents.get("default")?.has(served) ? null : await servedFile({ name: "default" });
    if (file) documents.set("default", (documents.get("default") ?? new Map()).set(served, { file }));
    return { environments: known.map((one) => one.environment), served, documents, isComplete: overview.isComplete };
}

export function open() {
    const list = resource(readDocuments);

    function view() {
        if (!canCall("GetOverview")) return h("div", { class: "page" }, pageHead("Behaviors"),
            scopesNotice("GetOverview", "Reading documents"));
        const text = currentRoute().query.get("search") ?? "";
        const { environments = [], served, documents = new Map(), isComplete = true } = list.value ?? {};
        const names = [...documents.keys()].sort().filter((name) => name.includes(text.toLowerCase()));
        return h("div", { class: "page" },
            pageHead("Behaviors", "The documents that apps perform, and the revisions that are live.",
                searchBox(text, (value) => go(link("behaviors", [], { search: value }), { replace: true }), "Search documents"),
                actionButton("PutBehavior", "New document", { class: "primary", disabled: !list.value, onclick: () => newDocument(environments, served) })),
            list.problem && problemNotice(list.problem),
            !list.value && list.isReading && h("p", { class: "loading" }, "Loading …"),
            list.value && documents.size === 0 && emptyState("No document is in the store.",
                "Publish the first one here, or with the command:",
                    "plugboard behaviors publish behaviors.json --message \"First version\""),
            !isComplete && h("p", { class: "notice warn" }, "The server has more documents or drafts than this list. The command shows one environment: ",
                h("code", {}, "plugboard behaviors status --environment NAME")),
            documents.size > 0 && names.length === 0 && h("p", { class: "empty", role: "status" }, `No document contains “${text}”.`),
            names.length > 0 && h("div", { class: "table-frame" }, h("table", { class: "data" },
                h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Document"),
                    environments.map((one) => h("th", { scope: "col", key: one }, one)))),
                h("tbody", {}, names.map((name) => h("tr", { key: name },
                    h("th", { scope: "row" }, h("a", { href: link("behaviors", [name]) }, name)),
                    environments.map((one) => h("td", { key: one, "data-title": one },
                        cell(name, one, documents.get(name).get(one))))))))));
    }

    return { title: "Behaviors", loaded: canCall("GetOverview") ? list.read() : undefined, accepts: (route) => route.page === "behaviors"
        && route.parts.length === 0, view };
}

function cell(name, environment, report) {
    if (!report) return h("span", { class: "muted" }, "–");
    if (report.file) return h("span", {}, h("a", { href: link("behaviors", [name], { environment }) }, "served from a file"),
        h("small", { class: "line muted" }, report.file.path));
    const { drafts, rollouts, schedules } = report;
    const releases = link("behaviors", [name, "releases"], { environment });
    return h("div", { class: "live-cell" },
        report.live ? h("a", { href: link("behaviors", [name], { environment }) }, `revision ${report.live}`)
            : h("span", { class: "muted" }, "nothing live"),
        report.live && [" ", h("span", { class: "muted" }, "· ", time(report.since))],
        report.unchanged && h("small", {}, " unchanged for 30 days"),
        h("div", { class: "badges" },
            rollouts.map((one) => h("span", { key: `${one.place}${one.value}`, class: "badge accent" },
                `${percentText(one.percent)} ${one.place}${one.value ? ` ${one.value}` : ""}`)),
            drafts.length > 0 && h("a", { href: releases, class: "plain" }, badge(counted(drafts.length, "draft"), "warn")),
            schedules.slice(0, 1).map((one) => h("a", { key: String(one.id), href: releases, class: "plain" },
                badge(`${one.revision} goes live ${sinceText(new Date(one.at))}`, "accent")))));
}

function newDocument(environments, served) {
    let name = "", environment = served, error = null;
    openDialog("New document", (close) => [
        h("form", {
            class: "dialog-body", id: "new-document", onsubmit: (event) => {
                event.preventDefault();
                error = nameFault(name);
                refresh();
                if (error) return;
                close();
                go(link("behaviors", [name, "edit"], { environment }));
            },
        },
        field("Name", h("input", { value: name, "data-first": true, spellcheck: "false",
            oninput: (event) => { name = event.currentTarget.value; } }),
            { error, hint: "default is served at /behaviors.json, checkout at /behaviors/checkout.json." }),
        field("Environment", h("select", { value: environment, onchange: (event) => { environment = event.currentTarget.value; } },
            environments.map((one) => h("option", { value: one, selected: one === environment }, one))))),
        h("footer", {}, h("button", { type: "button", class: "quiet", onclick: close }, "Cancel"),
            h("button", { type: "submit", form: "new-document", class: "primary" }, "Open the editor")),
    ]);
}
