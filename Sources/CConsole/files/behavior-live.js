/** The live revision of a document. */
import { documentView } from "./behavior-document.js";
import { h } from "./dom.js";
import { resource } from "./resource.js";
import { link } from "./routes.js";
import { root } from "./session.js";
import { copyable, documentOptions, emptyState, problemNotice } from "./widgets.js";

export function open(state) {
    const text = resource(async () => await state.text(state.live) || null);
    const address = () => location.origin + root + (state.name === "default" ? "/behaviors.json" : `/behaviors/${state.name}.json`);

    function view() {
        if (text.problem) return problemNotice(text.problem);
        if (text.value === undefined) return h("p", { class: "loading" }, "Loading …");
        if (text.value === null) {
            return emptyState(`No revision of ${state.name} is live in ${state.environment}.`,
                "Publish one in the editor, or with the command:",
                `plugboard behaviors publish FILE ${documentOptions(state)}`);
        }
        return [
            state.file && h("p", { class: "notice" }, "The server serves the file ", h("code", {}, state.file.path),
                " until the store has this document. The first change stores the file's text as revision 1."),
            documentView(text.value),
            h("details", {}, h("summary", {}, "The document as its author wrote it"), copyable(text.value, "document")),
            h("p", { class: "muted" }, "Apps receive it at ", h("code", {}, address()), " on a server of ",
                h("code", {}, state.environment), ". ",
                h("a", { href: link("behaviors", [state.name, "edit"], { environment: state.environment }) }, "Edit it")),
        ];
    }

    return { loaded: text.read(), view };
}
