/** Changes: each is shown with its curl line, confirmed, performed, announced and, if it can be, undone. Pointer and keyboard use this path. */
import { curlLine, missingScopes, send } from "./api.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { toast } from "./notices.js";
import { refresh } from "./refresh.js";
import { session } from "./session.js";
import { copyable, missingScopeNote, problemNotice } from "./widgets.js";

/** The last changes that can be undone, each with the session that made it: the next person must not undo it. */
const undoable = [];
const UNDOABLE = 20;

/** Shows a change before it is made.
 *
 *  | member | meaning |
 *  |---|---|
 *  | `title` | the dialog's title, "Re-plug LikePhoto" |
 *  | `about` | descriptions of elements between the title and the request |
 *  | `request` | the request of `makeRequest`, or a function that returns it |
 *  | `verb` | the button's text |
 *  | `done` | the sentence after success, or a function of the response's value |
 *  | `renew` | is called if the request's `If-Match` isn't met: adopts the current state, returns a promise of a sentence about the change |
 *  | `after` | is called with the response's value |
 *  | `failed` | is called with a problem; returns true if it deals with it |
 *  | `fault` | returns a sentence while the change can't be sent |
 *  | `isDrawer`, `isWide` | the dialog's form |
 *  | `undo` | returns the command that takes the change back, from the response's value, or a promise of it |
 */
export function preview(command) {
    let problem = null, isRunning = false, warning = null;
    const run = async (close) => {
        if (isRunning) return;
        isRunning = true;
        problem = warning = null;
        refresh();
        try {
            await perform(command);
            close();
        } catch (error) {
            if (command.failed?.(error)) close();
            else if (error.status === 412 && command.renew) warning = await command.renew().catch(() => error.message);
            else problem = error;
        } finally {
            isRunning = false;
            refresh();
        }
    };
    openDialog(command.title, (close) => {
        const made = typeof command.request === "function" ? command.request() : command.request;
        const missing = missingScopes(made.name);
        const fault = command.fault?.() ?? made.fault;
        return [
            h("div", { class: "dialog-body", onkeydown: (event) => confirm(event, missing.length === 0 && fault === null && (() => run(close))) },
                command.about?.(), fault === null && requestPreview(made)),
            // Outside the part that scrolls, so that it is always in view.
            (warning || problem) && h("div", { key: "outcome", class: "dialog-outcome" },
                warning ? h("p", { class: "notice warn", role: "alert" }, warning) : problemNotice(problem)),
            h("footer", {},
                missing.length > 0 ? missingScopeNote(missing) : fault && h("span", { class: "fault", role: "status" }, fault),
                h("button", { type: "button", class: "quiet", onclick: close }, "Cancel"),
                h("button", {
                    type: "button", class: command.isDangerous ? "primary danger" : "primary", "data-first": true,
                    disabled: missing.length > 0 || fault !== null, "aria-disabled": String(isRunning), onclick: () => run(close),
                }, isRunning ? "Working …" : warning ? `${command.verb} anyway` : command.verb)),
        ];
    }, { isDrawer: command.isDrawer, isWide: command.isWide });
}

/** Enter in a field confirms, as in a form. */
function confirm(event, perform) {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.target.type === "checkbox" || !perform) return;
    event.preventDefault();
    perform();
}

/** The body and the curl line of a request. */
function requestPreview(made) {
    return h("details", { class: "request", open: true },
        h("summary", {}, h("code", {}, `${made.method} ${decodeURI(made.url)}`)),
        made.body !== undefined && made.body.length < 4000 && h("pre", { tabindex: "0", "aria-label": "Body of the request" },
            readable(made.body)),
        copyable(curlLine(made), "curl line"));
}

function readable(body) {
    try {
        return JSON.stringify(JSON.parse(body), null, 2);
    } catch {
        return body;
    }
}

/** Performs a command at once. */
export async function perform(command) {
    const made = typeof command.request === "function" ? command.request() : command.request;
    const value = await send(made);
    const text = typeof command.done === "function" ? command.done(value) : command.done;
    if (command.undo) {
        const entry = { session: session(), make: () => command.undo(value) };
        undoable.push(entry);
        undoable.splice(0, undoable.length - UNDOABLE);
        entry.dismiss = toast(text, { title: "Undo", perform: () => undo(entry) });
    } else toast(text);
    await command.after?.(value);
    refresh();
    return value;
}

/** Takes the last change back, or the given one. */
export async function undo(entry = undoable.at(-1)) {
    if (entry?.session !== session() || !undoable.includes(entry)) {
        toast("There is nothing to undo.");
        return;
    }
    undoable.splice(undoable.indexOf(entry), 1);
    entry.dismiss();
    try {
        await perform(await entry.make());
    } catch (error) {
        toast(`The change can't be undone: ${error.message}`);
    }
}
