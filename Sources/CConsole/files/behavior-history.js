/** The history of a document: revisions with author, message, approvals and changes; and the way back. */
import { makeRequest } from "./api.js";
import { preview } from "./commands.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { counted, listed, time } from "./formats.js";
import { revisionChanges } from "./revision-changes.js";
import { link } from "./routes.js";
import { actionButton, badge, documentOptions, emptyState } from "./widgets.js";

/** The kinds of a revision's state. */
const KINDS = { live: "good", draft: "warn", scheduled: "accent" };

export function open(state) {
    function view() {
        if (state.revisions.length === 0) {
            return emptyState("The document has no revisions here.", "Publish the first one in the editor, or with the command:",
                `plugboard behaviors publish FILE ${documentOptions(state)}`);
        }
        return [
            h("div", { class: "table-frame" }, h("table", { class: "data history" },
                h("thead", {}, h("tr", {}, ["Revision", "Made", "Author", "Message",
                    ""].map((title) => h("th", { scope: "col", key: title },
                    title || h("span", { class: "visually-hidden" }, "Commands"))))),
                h("tbody", {}, state.revisions.map((one, index) => row(state, one, state.revisions[index + 1]))))),
            !state.isEnd && h("p", {}, h("button", { type: "button", onclick: state.readMore }, "Show older revisions")),
        ];
    }
    return { view };
}

function row(state, one, previous) {
    const approvals = one.approvals ?? [];
    const origin = one.origin
        && `from ${one.origin.environment}, revision ${one.origin.revision}${one.origin.overridden ? ", with overrides" : ""}`;
    return h("tr", { key: String(one.revision) },
        h("th", { scope: "row" }, `${one.revision} `, badge(one.state, KINDS[one.state])),
        h("td", { "data-title": "Made" }, time(one.created), one.wentLive && h("small", { class: "line" }, "live ", time(one.wentLive))),
        h("td", { "data-title": "Author" }, one.authorName ?? one.author,
            approvals.length > 0 && h("small", { class: "line" },
                `approved by ${listed(approvals.map((approval) => approval.name ?? approval.by), "and")}`)),
        h("td", { "data-title": "Message" }, one.message ?? (origin ? "" : h("span", { class: "muted" }, "no message")), origin
            && h("small", { class: "line" }, origin)),
        h("td", { class: "commands" },
            h("button", { type: "button", class: "small", onclick: () => showChanges(state, one, previous) }, previous ? "Changes"
                : "Show"),
            h("a", { class: "button small", href: link("behaviors", [state.name, "edit"],
                { environment: state.environment, revision: one.revision }) }, "Edit"),
            one.state === "earlier" && actionButton("RollBackBehavior", "Roll back",
                { class: "small", onclick: () => rollBack(state, one) })));
}

function showChanges(state, one, previous) {
    const changes = revisionChanges(state, one.revision, () => previous?.revision ?? null);
    openDialog(previous ? `Changes from revision ${previous.revision} to ${one.revision}` : `Revision ${one.revision}`, () =>
        h("div", { class: "dialog-body" }, changes.view()), { isWide: true });
}

/** Rolls back with one confirmation. The request has a condition, so that an unseen change isn't replaced. */
function rollBack(state, one) {
    preview({
        title: `Roll back to revision ${one.revision}`, verb: "Roll back",
        about: () => h("p", {}, `The bytes of revision ${one.revision} go live in ${state.environment} as a new revision. `
            + newerText(state, one)),
        request: () => makeRequest("RollBackBehavior", state.members(), { body: { revision: one.revision }, headers: state.condition() }),
        renew: state.renew,
        done: ({ revision }) => `Revision ${one.revision} is live again, as revision ${revision}.`,
        after: state.read,
    });
}

/** The sentence about the revisions that went live later. Drafts that wait aren't replaced. */
function newerText(state, one) {
    const count = state.revisions.filter((other) => other.revision > one.revision && ["live", "earlier"].includes(other.state)).length;
    return count === 0 ? "" : `${counted(count, "newer revision")} ${count === 1 ? "stays" : "stay"} in the history.`;
}
