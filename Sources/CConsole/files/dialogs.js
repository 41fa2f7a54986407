/** Modal dialogs. The browser's `dialog` keeps the focus inside, and returns it when the dialog closes. */
import { h } from "./dom.js";
import { refresh } from "./refresh.js";

let open = [];
let number = 0;

/** Opens a dialog. `view(close)` returns its content; `options.closed` is called when it closes. Returns a function that closes it. */
export function openDialog(title, view, options = {}) {
    const opener = document.activeElement;
    const one = { id: ++number, title, view, options };
    one.close = () => {
        if (!open.includes(one)) return;
        open = open.filter((other) => other !== one);
        options.closed?.();
        refresh();
        queueMicrotask(() => queueMicrotask(() => { if (opener?.isConnected) opener.focus(); }));
    };
    open = [...open, one];
    refresh();
    return one.close;
}

/** The dialogs that are open. */
export function modals() {
    return open.map((one) => h("dialog", {
        key: `dialog-${one.id}`, class: one.options.isWide ? "wide" : one.options.isDrawer ? "drawer" : "",
        "aria-labelledby": `dialog-${one.id}`,
        created: (element) => queueMicrotask(() => {
            element.showModal();
            const first = element.querySelector("[data-first]");
            first?.focus();
            first?.select?.();
        }),
        oncancel: (event) => { event.preventDefault(); one.close(); },
    },
    h("div", { class: "dialog-head" },
        h("h2", { id: `dialog-${one.id}` }, one.title),
        h("button", { class: "icon", type: "button", "aria-label": "Close", onclick: one.close }, "×")),
    one.view(one.close)));
}
