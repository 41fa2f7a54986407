/** The live revision of a document. */
import { documentView } from "./behavior-document.js";
import { h } from "./dom.js";
import { resource } from "./resource.js";
import { link } from "./routes.js";
import { root } from "./session.js";
import { copyable, emptyState, problemNotice } from "./widgets.js";

export function open(state) {
    const text = resource(async () => state.live ? { revision: state.live, text: await state.text(state.live) } : null);
    const address = () => location.origin + root + (state.name === "default" ? "/behaviors.json" : `/behaviors/${state.name}.json`);

    function view() {
        if (text.problem) return problemNotice(text.problem);
        if (text.value === undefined) return h("p", { class: "loading" }, "Loading …");
        if (text.value === null) {
            return emptyState(`No revision of ${state.name} is live in ${state.environment}.`,
                "Publish one in the editor, or with the command:",
                `plugboard behaviors publish FILE --document ${state.name} --environment ${state.environment}`);
        }
        return [
            documentView(text.value.text),
            h("details", {}, h("summary", {}, "The document as it was published"), copyable(text.value.text, "document")),
            h("p", { class: "muted" }, "Apps receive it at ", h("code", {}, address()), " on a server of ",
                h("code", {}, state.environment), ". ",
                h("a", { href: link("behaviors", [state.name, "edit"], { environment: state.environment }) }, "Edit it")),
        ];
    }

    return { loaded: text.read(), view };
}
