/** Messages to the person: spoken by screen readers, and shown for some seconds. */
import { h } from "./dom.js";
import { refresh } from "./refresh.js";

const region = document.getElementById("announcements");
const SECONDS = 10;
let shown = [];
let number = 0;

/** Lets screen readers speak a text. The same text twice is spoken twice. */
export function announce(text) {
    region.textContent = region.textContent === text ? text + "\u00a0" : text;
}

/** Shows and speaks a text, with an optional action beside it: `{ title, perform }`. It stays while the pointer or focus is on it. Returns a function
    that removes it. */
export function toast(text, action) {
    const one = { id: ++number, text, action };
    shown = [...shown.slice(-2), one];
    announce(action ? `${text} ${action.title} is available.` : text);
    start(one);
    refresh();
    return () => dismiss(one);
}

function start(one) {
    one.timer = setTimeout(() => dismiss(one), SECONDS * 1000);
}

/** Starts the time again, or stops it while the pointer or focus is on the element. */
function hold(one, element) {
    clearTimeout(one.timer);
    if (!element.matches(":hover, :focus-within")) start(one);
}

function dismiss(one) {
    clearTimeout(one.timer);
    shown = shown.filter((other) => other !== one);
    refresh();
}

/** The texts shown at the moment. */
export function toasts() {
    return h("div", { class: "toasts", key: "toasts" }, shown.map((one) => h("div", {
        class: "toast", key: one.id, created: (element) => {
            for (const type of ["mouseenter", "mouseleave", "focusin", "focusout"]) element.addEventListener(type, () => hold(one, element));
        },
    },
    h("span", {}, one.text),
    one.action && h("button", { class: "link", type: "button", onclick: () => { dismiss(one); one.action.perform(); } }, one.action.title),
    h("button", { class: "icon", type: "button", "aria-label": "Dismiss", onclick: () => dismiss(one) }, "×"))));
}
