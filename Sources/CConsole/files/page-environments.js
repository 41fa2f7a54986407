/** Environments: the approvals that each requires, and its documents. */
import { call, canCall, makeRequest } from "./api.js";
import { preview } from "./commands.js";
import { h } from "./dom.js";
import { counted } from "./formats.js";
import { nameFault } from "./names.js";
import { refresh } from "./refresh.js";
import { resource } from "./resource.js";
import { link } from "./routes.js";
import { actionButton, badge, field, pageHead, problemNotice, scopesNotice } from "./widgets.js";

export function open() {
    const list = resource(() => call("ListEnvironments"));

    function view() {
        if (!canCall("ListEnvironments")) return h("div", { class: "page" }, pageHead("Environments"),
            scopesNotice("ListEnvironments", "Reading environments"));
        const environments = list.value ?? [];
        return h("div", { class: "page" },
            pageHead("Environments", "A set of live revisions. A server serves one of them.",
                actionButton("SetEnvironment", "New environment", { class: "primary", onclick: () => setRules(null, list.read) })),
            list.problem && problemNotice(list.problem),
            !list.value && list.isReading && h("p", { class: "loading" }, "Loading …"),
            environments.length > 0 && h("div", { class: "table-frame" }, h("table", { class: "data" },
                h("thead", {}, h("tr", {}, ["Environment", "Approvals", "Documents",
                    ""].map((title) => h("th", { scope: "col", key: title },
                    title || h("span", { class: "visually-hidden" }, "Commands"))))),
                h("tbody", {}, environments.map((one) => row(one, list.read))))),
            list.value && h("p", { class: "muted" },
                "An environment can be renamed or removed if it has no documents and this server doesn't serve it."));
    }

    return { title: "Environments", loaded: canCall("ListEnvironments") ? list.read() : undefined,
        accepts: (route) => route.page === "environments", view };
}

function row(one, read) {
    const isFree = one.documents === 0 && !one.served;
    return h("tr", { key: one.environment },
        h("th", { scope: "row" }, one.environment, one.served && [" ", badge("served here", "accent")]),
        h("td", { "data-title": "Approvals" }, one.approvals === 0 ? h("span", { class: "muted" }, "none required")
            : `${counted(one.approvals, "approval")} required`),
        h("td", { "data-title": "Documents" }, one.documents === 0 ? h("span", { class: "muted" }, "none")
            : h("a", { href: link("behaviors") }, counted(one.documents, "document"))),
        h("td", { class: "commands" },
            actionButton("SetEnvironment", "Change", { class: "small", onclick: () => setRules(one, read) }),
            isFree && actionButton("RenameEnvironment", "Rename",
                { class: "small", onclick: () => rename(one, read) }),
            isFree && actionButton("RemoveEnvironment", "Remove",
                { class: "small", onclick: () => preview({
                title: `Remove ${one.environment}`, verb: "Remove", isDangerous: true,
                request: makeRequest("RemoveEnvironment", { environment: one.environment }), done: `${one.environment} is removed.`,
                    after: read,
            }) })));
}

function setRules(one, read) {
    let name = one?.environment ?? "", approvals = one?.approvals ?? 0;
    preview({
        title: one ? `Rules of ${name}` : "New environment", verb: "Save",
        fault: () => nameFault(name) ?? (approvals >= 0 && approvals <= 10 && Number.isInteger(approvals) ? null
            : "Approvals are a whole number from 0 to 10."),
        about: () => h("div", { class: "stack" },
            !one && field("Name", h("input", { value: name, spellcheck: "false", "data-first": true,
                oninput: (event) => { name = event.currentTarget.value; refresh(); } })),
            field("Approvals that a publication needs", h("input", {
                type: "number", min: "0", max: "10", value: String(approvals),
                    oninput: (event) => { approvals = Number(event.currentTarget.value); refresh(); },
            }), { hint: "Authors of a draft can't approve it." })),
        request: () => makeRequest("SetEnvironment", { environment: name, create: one ? "" : "true" }, { body: { approvals } }),
        done: () => `${name} requires ${counted(approvals, "approval")}.`, after: read,
        undo: one && (async () => {
            // The action has no condition, so the rules that another person has set since are looked up.
            const now = await call("GetEnvironment", { environment: name });
            if (now.approvals !== approvals) throw new Error(`${name} requires ${counted(now.approvals, "approval")} meanwhile.`);
            return {
                title: `Rules of ${name}`, verb: "Save", request: makeRequest("SetEnvironment", { environment: name },
                    { body: { approvals: one.approvals } }),
                done: `${name} requires ${counted(one.approvals, "approval")} again.`, after: read,
            };
        }),
    });
}

function rename(one, read) {
    let name = one.environment;
    preview({
        title: `Rename ${one.environment}`, verb: "Rename",
        fault: () => nameFault(name) ?? (name === one.environment ? "Choose another name." : null),
        about: () => field("New name", h("input", { value: name, spellcheck: "false", "data-first": true,
            oninput: (event) => { name = event.currentTarget.value; refresh(); } })),
        request: () => makeRequest("RenameEnvironment", { environment: one.environment }, { body: { to: name } }),
        done: () => `${one.environment} has the name ${name} now.`, after: read,
    });
}
