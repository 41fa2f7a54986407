/** Two people edited one document: the later one sees both changes since the common base, and merges them. Nothing is lost. */
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { counted } from "./formats.js";
import { merge, mergedText } from "./merge.js";
import { refresh } from "./refresh.js";
import { problemNotice } from "./widgets.js";

const TITLES = { mine: "your change", theirs: "their change", both: "the same change", conflict: "both changed this" };

/** The most parts that are drawn, and the most lines of each. */
const SHOWN = 500;

/** Shows the changes of revision `live` beside `mine`. Without a live revision the own text is the whole change. `accept(merged, theirs)`
    receives the merged text. */
export function resolveConflict({ state, base, mine, live, accept }) {
    let parts = null, theirs = "", problem = null, author = "";
    const choices = new Map();
    const read = async () => {
        theirs = await state.text(live);
        const merged = merge(base.text, mine, live === null ? base.text : theirs);
        await state.read();
        author = state.byline(live);
        parts = merged;
    };
    read().catch((error) => { problem = error; }).finally(refresh);

    openDialog(live === null ? "No revision is live any more" : `Revision ${live} went live while you edited`, (close) => {
        const open = (parts ?? []).filter((part, index) => part.kind === "conflict" && !choices.has(index)).length;
        const drawn = drawnParts(parts ?? [], choices);
        return [
            h("div", { class: "dialog-body" },
                problem && problemNotice(problem),
                h("p", {}, live === null ? `No revision of ${state.name} is live in ${state.environment}. ` : `Revision ${live} is live${author}. `,
                    `Your text is based on ${base.revision ? `revision ${base.revision}` : "an empty document"}. `
                    + "Nothing is published yet, and nothing of yours is lost."),
                parts && h("div", { class: "merge" }, drawn.map(([part, index]) => partView(part, index, choices))),
                drawn.length < (parts?.length ?? 0) && h("p", { class: "muted", role: "status" },
                    `${counted(parts.length - drawn.length, "more part")} of the document ${parts.length - drawn.length === 1 ? "isn't" : "aren't"} shown.`),
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

/** The parts that are drawn, with their indices. Conflicts come first, those to decide before the others, so that each can be decided. */
function drawnParts(parts, choices) {
    const rank = ([part, index]) => part.kind !== "conflict" ? 2 : choices.has(index) ? 1 : 0;
    const entries = parts.map((part, index) => [part, index]);
    if (entries.length <= SHOWN) return entries;
    return entries.sort((one, other) => rank(one) - rank(other)).slice(0, SHOWN).sort(([, one], [, other]) => one - other);
}

/** Lines as one text; those in the middle are left out if there are more than `count`. */
function shortened(lines, count, noun) {
    if (lines.length <= count) return lines.join("\n");
    const half = Math.floor(count / 2);
    return [...lines.slice(0, half), `… ${counted(lines.length - 2 * half, noun)}`, ...lines.slice(-half)].join("\n");
}

function partView(part, index, choices) {
    if (part.kind === "same") return h("pre", { key: `part-${index}`, class: "equal" }, shortened(part.base, 7, "equal line"));
    const choose = (value) => { choices.set(index, value); refresh(); };
    const column = (title, lines, value) => h("div", { class: `side ${value}${choices.get(index) === value ? " chosen" : ""}` },
        h("h3", {}, title), h("pre", { tabindex: "0", "aria-label": title }, lines.length > 0 ? shortened(lines, SHOWN, "more line") : "(removed)"),
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
