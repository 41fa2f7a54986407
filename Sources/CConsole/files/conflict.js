/** Two people edited one document: the later one sees both changes since the common base, and merges them. Nothing is lost. */
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { counted } from "./formats.js";
import { merge, mergedText } from "./merge.js";
import { refresh } from "./refresh.js";
import { problemNotice } from "./widgets.js";

const TITLES = { mine: "your change", theirs: "their change", both: "the same change", conflict: "both changed this" };

/** Shows the changes of revision `live` beside `mine`. `accept(merged, theirs)` receives the merged text. */
export function resolveConflict({ state, base, mine, live, accept }) {
    let parts = null, theirs = "", problem = null, author = "";
    const choices = new Map();
    state.text(live).then(async (text) => {
        theirs = text;
        parts = merge(base.text, mine, text);
        await state.read();
        author = state.byline(live);
        refresh();
    }, (error) => { problem = error; refresh(); });

    openDialog(`Revision ${live} went live while you edited`, (close) => {
        const open = (parts ?? []).filter((part, index) => part.kind === "conflict" && !choices.has(index)).length;
        return [
            h("div", { class: "dialog-body" },
                problem && problemNotice(problem),
                h("p", {}, `Revision ${live} is live${author}. Your text is based on ${base.revision ? `revision ${base.revision}` : "an empty document"}. `
                    + "Nothing is published yet, and nothing of yours is lost."),
                parts && h("div", { class: "merge" }, parts.map((part, index) => partView(part, index, choices))),
                !parts && !problem && h("p", { class: "muted" }, "Loading …")),
            h("footer", {},
                h("span", { class: "muted", role: "status" }, parts ? open > 0 ? `${counted(open, "conflict")} to decide.`
                    : "No conflict is open." : ""),
                h("button", { type: "button", class: "quiet", onclick: close }, "Keep my text"),
                h("button", {
                    type: "button", class: "primary", "data-first": true, disabled: !parts || open > 0,
                    // After the dialog is closed, because an open one keeps the focus from the editor.
                    onclick: () => { close(); queueMicrotask(() => accept(mergedText(parts, choices), theirs)); },
                }, "Take the merged text")),
        ];
    }, { isWide: true });
}

function partView(part, index, choices) {
    if (part.kind === "same") {
        const lines = part.base;
        const shown = lines.length > 7 ? [...lines.slice(0, 3), `… ${lines.length - 6} equal lines`, ...lines.slice(-3)] : lines;
        return h("pre", { key: `part-${index}`, class: "equal" }, shown.join("\n"));
    }
    const choose = (value) => { choices.set(index, value); refresh(); };
    const column = (title, lines, value) => h("div", { class: `side ${value}${choices.get(index) === value ? " chosen" : ""}` },
        h("h3", {}, title), h("pre", { tabindex: "0", "aria-label": title }, lines.length > 0 ? lines.join("\n") : "(removed)"),
        part.kind === "conflict" && value !== "base" && h("button", {
            type: "button", class: "small", "aria-pressed": String(choices.get(index) === value), onclick: () => choose(value),
        }, value === "mine" ? "Take mine" : "Take theirs"));
    return h("section", { key: `part-${index}`, class: `part ${part.kind}`, "aria-label": TITLES[part.kind] },
        h("p", { class: "part-title" }, TITLES[part.kind],
            part.kind === "conflict" && h("button", { type: "button", class: "small quiet",
                "aria-pressed": String(choices.get(index) === "both"), onclick: () => choose("both") }, "Take both")),
        h("div", { class: "sides" }, column("Before", part.base, "base"), column("Theirs", part.theirs, "theirs"),
            column("Yours", part.mine, "mine")));
}
