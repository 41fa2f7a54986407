/** The explanation of a user's variant: the document with each module kept or left out, and the rule and bucket that decided. */
import { call, curlLine, makeRequest } from "./api.js";
import { documentView } from "./behavior-document.js";
import { h } from "./dom.js";
import { refresh } from "./refresh.js";
import { currentRoute, go, link } from "./routes.js";
import { copyable, documentOptions, emptyState, field, problemNotice } from "./widgets.js";

const EXAMPLE = '{"plan": "pro"}';
/** The members of the context that have fields, with their names in the address. */
const MEMBERS = { targetingKey: "user", country: "country", version: "version" };
/** The longest text that is in the address. */
const LARGEST = 2000;

export function open(state) {
    let problem = null, result = null, text = null, isRunning = false;
    /** Values that are too large for the address. */
    const large = new Map();

    /** A value of the form. It is in the address, so that it stays after a reload. */
    const given = (name) => large.get(name) ?? currentRoute().query.get(name) ?? "";

    function set(name, value) {
        const { page, parts, query } = currentRoute(), isLarge = value.length > LARGEST;
        if (isLarge) large.set(name, value);
        else large.delete(name);
        go(link(page, parts, { ...Object.fromEntries(query), [name]: isLarge ? "" : value }), { replace: true });
        refresh();
    }

    function body() {
        const more = given("values"), context = more.trim() === "" ? {} : JSON.parse(more), revision = Number(given("revision"));
        if (context === null || typeof context !== "object" || Array.isArray(context)) {
            throw new SyntaxError(`write one, such as ${EXAMPLE}.`);
        }
        for (const [name, query] of Object.entries(MEMBERS)) if (given(query) !== "") context[name] = given(query);
        return { context, ...(revision && { revision }) };
    }

    async function explain(event) {
        event.preventDefault();
        isRunning = true;
        problem = null;
        refresh();
        try {
            const explanation = await call("ExplainBehavior", state.members(), { body: body() });
            text = await state.text(explanation.revision ?? state.live);
            result = explanation;
        } catch (error) {
            problem = error instanceof SyntaxError ? { message: `The other values aren't a JSON object: ${error.message}` } : error;
        } finally {
            isRunning = false;
            refresh();
        }
    }

    function input(name, hint) {
        return h("input", { value: given(name), placeholder: hint, spellcheck: "false", autocomplete: "off",
            oninput: (event) => set(name, event.currentTarget.value) });
    }

    function view() {
        if (state.revisions.length === 0) return emptyState("The document has no revisions here.",
            "Publish one to explain it, in the editor or with the command:", `plugboard behaviors publish FILE ${documentOptions(state)}`);
        const revision = Number(given("revision")) || null;
        return [
            h("form", { class: "card stack", onsubmit: explain },
                h("h2", {}, "Which modules would this user get?"),
                h("div", { class: "fields" },
                    field("User (targetingKey)", input("user", "user-42")),
                    field("Country", input("country", "LV")),
                    field("Version", input("version", "2.1")),
                    field("Revision", h("select", { value: String(revision ?? ""),
                        onchange: (event) => set("revision", event.currentTarget.value) },
                        state.live && h("option", { value: "", selected: revision === null }, `live (${state.live})`),
                        state.revisions.map((one) => h("option",
                            { key: String(one.revision), value: String(one.revision), selected: revision === one.revision },
                            `${one.revision} ${one.state}`))))),
                field("Other values as JSON", h("textarea", { rows: "2", class: "code", spellcheck: "false", value: given("values"),
                    placeholder: EXAMPLE, oninput: (event) => set("values", event.currentTarget.value) })),
                h("div", { class: "editor-actions" }, h("button", { class: "primary", disabled: isRunning || (!revision && !state.live) },
                    isRunning ? "Working …" : "Explain")),
                curl()),
            problem && problemNotice(problem),
            result && text !== null && h("section", { key: "result", class: "stack", "aria-live": "polite",
                created: (element) => element.scrollIntoView({ block: "nearest" }) },
                h("h2", {}, summary(result)), documentView(text, (pointer) => noteOf(result, pointer))),
        ];
    }

    function curl() {
        try {
            return copyable(curlLine(makeRequest("ExplainBehavior", state.members(), { body: body() })), "curl line");
        } catch {
            return null;
        }
    }

    return { view };
}

function summary({ targets, revision }) {
    const functions = targets.filter((one) => one.function);
    return `${functions.filter((one) => one.isKept).length} of ${functions.length} functions of revision ${revision ?? "–"} are kept`;
}

/** The outcome at a place, in the server's sentences. */
function noteOf({ targets }, pointer) {
    const target = targets.find((one) => one.pointer === pointer);
    return target && { isKept: target.isKept, text: target.sentences.join("; ") };
}
