/** The editor of a document: text with completion and marks, rules as sentences, and publication on a condition. */
import { canCall, makeRequest } from "./api.js";
import { seenModules } from "./behavior-state.js";
import { complete } from "./completion.js";
import { preview } from "./commands.js";
import { resolveConflict } from "./conflict.js";
import { difference } from "./merge.js";
import { differenceView } from "./difference-view.js";
import { h } from "./dom.js";
import { checkText } from "./editor-checks.js";
import { Editor } from "./editor.js";
import { counted } from "./formats.js";
import { lineOf, nodeAt, parseText } from "./json-text.js";
import { toast } from "./notices.js";
import { poll } from "./polls.js";
import { refresh } from "./refresh.js";
import { go, link } from "./routes.js";
import { rulesPane } from "./rules-pane.js";
import { markStep } from "./tour.js";
import { actionButton, field } from "./widgets.js";

const EXAMPLE = '[\n  {"name": "Home", "actions": [\n    {"func": "show"}\n  ]}\n]\n';
const SECONDS = 5;

/** The editor. The unsaved text stays in this tab, also after a reload or the end of the session. That of a revision which is opened by its
    number is stored beside the document's own, so that neither replaces the other. */
export function open(state, route) {
    const wanted = Number(route.query.get("revision")) || null;
    const texts = `plugboard-text ${state.name} ${state.environment}`, key = wanted ? `${texts} ${wanted}` : texts;
    /** The text of the revision that is opened by its number, and the numbers of other unsaved texts; the document's own has none. */
    let opened = null, others = [];
    let base = { revision: null, text: "" }, text = "", message = "", faults = [], newer = null, editor = null, stop = () => {}, isLeft = false,
        isLoaded = false;
    let seen = new Map();
    const rules = rulesPane(edit);

    /** The text that the address shows if none is stored. */
    const shownText = () => opened ?? (base.text || EXAMPLE);

    async function load() {
        const stored = readStored(key);
        others = storedKeys(texts).filter((one) => one !== key).map((one) => one.slice(texts.length + 1));
        base = { revision: state.live, text: await state.text(state.live) };
        opened = wanted ? await state.text(wanted) : null;
        text = shownText();
        if (route.query.get("example") === "rollout") text = withRollout(base.text);
        if (stored && stored.text !== text) {
            text = stored.text;
            base = stored.base.revision === null || stored.base.text ? stored.base : base;
            toast("Your unsaved text is back.", { title: "Discard it", perform: discard });
        }
        isLoaded = true;
        check();
        readSeen();
        if (!isLeft) stop = poll(SECONDS, watch);
    }

    /** Reads the modules that the server has seen. Without them the editor has no warnings, and completes what the document has. */
    function readSeen() {
        seenModules().then((found) => { seen = found; check(); }, () => {});
    }

    /** Looks for another author's publication, so that it is known before this one is published. */
    async function watch() {
        try {
            const live = await state.readLive();
            newer = live !== null && live !== base.revision ? live : null;
            refresh();
        } catch {
            // The next try follows; publishing shows the problem.
        }
    }

    function changed(value) {
        text = value;
        if (text === base.text || text === shownText()) sessionStorage.removeItem(key);
        else store(key, { base, text });
        check();
    }

    /** Finds the faults of the text, and marks them. */
    function check() {
        faults = checkText(text, seen);
        markFaults();
    }

    function markFaults() {
        editor?.mark(faults.map((one) => ({ ...one, line: lineOf(text, one.offset) })));
        refresh();
    }

    /** Changes the text by the editor, so that it can be undone there. The focus stays. */
    function write(operation) {
        const focused = document.activeElement;
        operation(editor);
        editor.settle();
        focused?.focus();
    }

    /** Replaces a part of the text, as the rules do. */
    function edit(start, end, replacement) {
        write((one) => one.replace(start, end, replacement));
    }

    function setText(value) {
        if (editor) write((one) => one.replaceAll(value));
        changed(value);
    }

    function discard() {
        setText(base.text || EXAMPLE);
    }

    function conflict(live) {
        editor?.settle();
        resolveConflict({ state, base, mine: text, live, accept: (merged, theirs) => {
            base = { revision: live, text: theirs };
            newer = null;
            setText(merged);
            toast(`The editor has both changes. It is based on ${basis()} now.`);
        } });
    }

    /** Shows the conflict with the revision that is live at this moment. */
    async function readConflict() {
        try {
            conflict(await state.readLive());
        } catch (error) {
            toast(`Another revision is live, and it can't be read: ${error.message}`, { title: "Try again", perform: readConflict });
        }
    }

    function publish(isDraft) {
        editor.settle();
        const sent = text, changes = difference(base.text, sent);
        const made = () => makeRequest("PutBehavior", state.members({ draft: isDraft ? "true" : "", message }), {
            body: sent, headers: isDraft ? {} : state.condition(base.revision),
        });
        preview({
            title: isDraft ? `Save a draft of ${state.name}` : `Publish ${state.name} in ${state.environment}`, verb: isDraft
                ? "Save the draft" : "Publish", isWide: true,
            about: () => [
                field("Message", h("input", { value: message, maxlength: "1000",
                    oninput: (event) => { message = event.currentTarget.value; refresh(); } }),
                    { hint: "One sentence on the reason, for the history." }),
                differenceView(changes),
            ],
            request: made,
            done: ({ revision }) => isDraft ? `Draft ${revision} is saved.` : `Revision ${revision} is live in ${state.environment}.`,
            failed: (error) => {
                if (error.status === 412) readConflict();
                else mark(error.errors);
                return error.status === 412;
            },
            after: async ({ revision }) => {
                if (isDraft) {
                    sessionStorage.removeItem(key);
                    go(link("behaviors", [state.name, "releases"], { environment: state.environment }));
                    return;
                }
                base = { revision, text: sent };
                message = "";
                changed(text);
                if (/"rollout"/.test(sent)) markStep("rollout");
                readSeen();
                await state.read();
            },
        });
    }

    /** Marks the places that the server names. */
    function mark(errors) {
        const { root } = parseText(text);
        const marks = errors.map(({ pointer, detail }) => ({ offset: nodeAt(root, pointer).start, message: detail }));
        faults = [...faults.filter((one) => one.kind === "warn"), ...marks];
        markFaults();
    }

    function view() {
        if (!isLoaded) return h("p", { class: "loading" }, "Loading …");
        const serious = faults.filter((one) => one.kind !== "warn");
        const isChanged = text !== base.text;
        return [
            others.length > 0 && h("div", { class: "notice", role: "status" }, h("p", {}, "You have unsaved text. ",
                others.map((revision, index) => [index > 0 && ", ", h("a", { key: revision, href: link("behaviors", [state.name, "edit"],
                    { environment: state.environment, revision }) }, `Bring back your text${revision && ` from revision ${revision}`}`)]))),
            newer && h("div", { class: "notice warn", role: "status" }, h("p", {}, `Revision ${newer} went live meanwhile. `,
                h("button", { type: "button", class: "link", onclick: () => conflict(newer) }, "Compare and merge"))),
            h("div", { class: "editing" },
                h("div", { class: "editor-frame stack" },
                    h("div", { key: "editor", isOpaque: true, created: (place) => {
                        editor = new Editor({ label: `Document ${state.name}`, text,
                            complete: (value, offset) => complete(value, offset, seen), changed });
                        place.append(editor.element);
                        queueMicrotask(markFaults);
                    }, removed: () => { editor = null; } }),
                    h("ul", { class: "faults", "aria-label": "Faults" },
                        faults.slice(0, 20).map((one, index) => h("li", { key: `${index}${one.message}` },
                        h("button", { type: "button", class: `link ${one.kind ?? "fault"}`,
                            onclick: () => editor.show(lineOf(text, one.offset)) },
                            `Line ${lineOf(text, one.offset) + 1}: ${one.message}`)))),
                    h("div", { class: "editor-actions" },
                        h("span", { class: "muted", role: "status" }, serious.length > 0 ? "The document has faults." : isChanged
                            ? `Changed since ${basis()}.` : `As in ${basis()}.`),
                        isChanged && h("button", { type: "button", class: "quiet", onclick: discard }, "Discard"),
                        actionButton("PutBehavior", "Save as draft …",
                            { disabled: serious.some((one) => one.isSyntax) || !isChanged, onclick: () => publish(true) }),
                        actionButton("PutBehavior", "Publish …", {
                            class: "primary", disabled: serious.some((one) => one.isSyntax) || !isChanged || state.rules?.approvals > 0,
                                onclick: () => publish(false),
                        })),
                    state.rules?.approvals > 0 && canCall("PutBehavior") && h("p", { class: "muted" },
                        `${state.environment} requires ${counted(state.rules.approvals, "approval")}. Save a draft, have it approved, then publish it.`)),
                rules(text)),
        ];
    }

    const basis = () => base.revision ? `revision ${base.revision}` : state.file ? state.file.path : "the beginning";
    const settle = () => editor?.settle();
    addEventListener("pagehide", settle);
    return {
        loaded: load(), view,
        leave: () => {
            settle();
            removeEventListener("pagehide", settle);
            isLeft = true;
            stop();
        },
    };
}

function withRollout(text) {
    const banner = '{"name": "Banner", "when": {"rollout": 10}, "actions": [\n    {"func": "show", "value": "Hello"}\n  ]}';
    const { root } = parseText(text || EXAMPLE);
    const list = root.type === "array" ? root : root.entries?.find((entry) => entry.key === "modules")?.value;
    const source = text || EXAMPLE;
    const last = list?.items?.at(-1);
    if (!last) return `[\n  ${banner}\n]\n`;
    return `${source.slice(0, last.end)},\n  ${banner}${source.slice(last.end)}`;
}

/** The keys of a document's stored texts. */
function storedKeys(prefix) {
    return Object.keys(sessionStorage).filter((key) => key === prefix || key.startsWith(`${prefix} `));
}

function readStored(key) {
    try {
        const value = JSON.parse(sessionStorage.getItem(key) ?? "null");
        return typeof value?.text === "string" && value.base ? value : null;
    } catch {
        return null;
    }
}

function store(key, value) {
    try {
        sessionStorage.setItem(key, JSON.stringify(value));
    } catch {
        // The tab's storage is full; the text stays in the editor.
    }
}
