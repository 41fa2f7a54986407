/** The changes of a revision, in words and line by line, for the dialogs that ask for a decision on it. */
import { call } from "./api.js";
import { differenceView } from "./difference-view.js";
import { h } from "./dom.js";
import { difference } from "./merge.js";
import { resource } from "./resource.js";
import { problemNotice } from "./widgets.js";

/** Reads the changes from the revision that `before` returns, null for none, to `revision`. `read` reads them again, `view` draws them. */
export function revisionChanges(state, revision, before) {
    const changes = resource(async () => {
        const from = before();
        const [old, text, words] = await Promise.all([state.text(from), state.text(revision),
            from && call("DiffBehavior", state.members({ from, to: revision }))]);
        return { parts: difference(old, text), words: words?.changes };
    });
    changes.read();

    function view() {
        const { parts, words } = changes.value ?? {};
        return [
            changes.problem && problemNotice(changes.problem),
            changes.isReading && h("p", { class: "muted" }, "Loading …"),
            !changes.isReading && !changes.problem && [
                words?.length > 0 && h("ul", { class: "bullets" }, words.map((text) => h("li", { key: text }, text))),
                words?.length === 0 && h("p", { class: "muted" }, "Apps receive the same document."),
                differenceView(parts),
            ],
        ];
    }

    return { read: changes.read, view };
}
