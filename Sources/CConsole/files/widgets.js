/** Elements that several pages use. */
import { missingScopes, operation, quoted } from "./api.js";
import { h } from "./dom.js";
import { announce } from "./notices.js";
import { link } from "./routes.js";
import { isSignedIn } from "./session.js";

/** A notice of an error, in the words of its problem, with the places that it names. */
export function problemNotice(problem) {
    const errors = (Array.isArray(problem.errors) ? problem.errors : []).filter(({ pointer, detail }) =>
        ![detail, `${pointer}: ${detail}`].includes(problem.message));
    return h("div", { class: "notice bad", role: "alert" },
        h("p", {}, problem.status ? h("strong", {}, `${problem.status} `) : null, problem.message),
        errors.length > 0 && h("ul", {}, errors.slice(0, 20).map((one) => h("li", {}, h("code", {}, one.pointer || "/"), " ",
            one.detail))));
}

/** The notice of a page or a tab that can't be shown, and the next try. */
export function failureNotice(problem, tryAgain) {
    return h("div", { class: "stack" }, problemNotice(problem), h("p", {}, h("button", { type: "button", onclick: tryAgain }, "Try again")));
}

/** Loads a module by an `import()`. The browser's message for a server that can't be reached has the module's address and no advice. */
export async function loadModule(load) {
    try {
        return await load();
    } catch {
        throw new Error("The server can't be reached. Check that it runs, then try again.");
    }
}

/** The scopes that the caller lacks, as a sentence beside a button. */
export function missingScopeNote(scopes) {
    return h("span", { class: "needs" }, isSignedIn() ? "needs the scope " : "sign in with the scope ",
        scopes.map((scope, index) => [index > 0 && ", ", h("code", {}, scope)]));
}

/** A button of an action. Without the action's scopes it is disabled, and the missing scope is beside it. */
export function actionButton(action, text, props) {
    const missing = missingScopes(action);
    const button = h("button", { type: "button", ...props, disabled: missing.length > 0 || props.disabled }, text);
    return missing.length === 0 ? button : h("span", { class: "guarded", key: props.key }, button, missingScopeNote(missing));
}

/** A text with a button that copies it. */
export function copyable(text, name) {
    return h("div", { class: "copyable" },
        h("pre", { tabindex: "0", "aria-label": name }, text),
        h("button", {
            type: "button", class: "small", "aria-label": `Copy the ${name}`,
            onclick: async (event) => {
                const button = event.currentTarget;
                await copy(text);
                announce(`The ${name} is copied.`);
                button.dataset.copied = "";
                setTimeout(() => delete button.dataset.copied, 1500);
            },
        }, "Copy"));
}

/** Copies by the clipboard, or by a selection where the page's origin has no clipboard (plain HTTP on another host). */
async function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    (document.querySelector("dialog:last-of-type[open]") ?? document.body).append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
}

/** A labelled control. `control` is the description of an input, select or textarea. */
export function field(label, control, { hint, error, id = `field-${label.toLowerCase().replace(/\W+/g, "-")}` } = {}) {
    const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
    control.props = { id, ...control.props, "aria-describedby": described || undefined, "aria-invalid": error ? "true" : undefined };
    return h("div", { class: "field", key: id },
        h("label", { for: control.props.id }, label), control,
        hint && h("small", { id: `${id}-hint` }, hint),
        error && h("small", { class: "error", id: `${id}-error`, role: "alert" }, error));
}

/** A page without content: a sentence, and the next step with its command. */
export function emptyState(sentence, next, command) {
    return h("div", { class: "empty" }, h("p", {}, sentence), next && h("p", { class: "muted" }, next), command
        && copyable(command, "command"));
}

/** The options of a command that name a document and its environment. Both may come from the address, so they are quoted. */
export function documentOptions({ name, environment }) {
    return `--document ${quoted(name)} --environment ${quoted(environment)}`;
}

export function badge(text, kind = "") {
    return h("span", { class: `badge ${kind}` }, text);
}

/** A box for searching. `/` moves the focus to it. */
export function searchBox(value, changed, label) {
    return h("input", {
        type: "search", class: "search", placeholder: label, "aria-label": label, "aria-keyshortcuts": "/", value,
        oninput: (event) => changed(event.currentTarget.value),
    });
}

/** Tabs that are links, so that each has an address. */
export function tabs(entries, current, label) {
    return h("nav", { class: "tabs", "aria-label": label }, entries.map(({ title, href, id, count }) =>
        h("a", { href, key: id, "aria-current": id === current ? "page" : undefined }, title, count ? badge(count) : null)));
}

/** A page's head: title, a sentence, and buttons. */
export function pageHead(title, sentence, ...buttons) {
    return h("header", { class: "page-head" },
        h("div", {}, h("h1", {}, title), sentence && h("p", { class: "muted" }, sentence)),
        h("div", { class: "page-actions" }, buttons));
}

/** A page's notice that its actions need scopes which the caller lacks. */
export function scopesNotice(action, purpose) {
    const missing = missingScopes(action);
    if (!operation(action)) return h("p", { class: "empty" }, `The server has no action ${action}.`);
    return h("div", { class: "empty" },
        h("p", {}, `${purpose} needs the scope `, missing.map((scope, index) => [index > 0 && ", ", h("code", {}, scope)]), "."),
        h("p", {}, h("a", { class: "button primary", href: link("sign-in", [], { from: location.hash }) }, isSignedIn()
            ? "Sign in with another token" : "Sign in")));
}
