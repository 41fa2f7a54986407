/** A text editor for JSON: line numbers, colours, completion, marks at lines. Only the lines in view are drawn, so that a document of
    1 MiB scrolls as one of ten lines. */
import { lineOf, lineStarts } from "./json-text.js";
import { announce } from "./notices.js";

const LINE = 20;
/** Most lines that are inserted so that they can be undone: Chromium takes 0.3 s for 200 lines, and 5 s for 1,600. */
const UNDOABLE = 200;
/** Texts above this length are checked after a pause of this many milliseconds, so that typing doesn't wait for it. */
const LARGE = 65_536, PAUSE = 200;
const TOKENS = /("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b|([{}[\],:])/g;

/** Makes an editor. `complete(text, offset)` returns `{ start, end, options }` or null; `changed(text)` is called after each edit, in a
    large text after a pause. `settle()` ends the pause. */
export class Editor {
    constructor({ label, text, complete, changed }) {
        this.complete = complete;
        this.changed = changed;
        this.marks = new Map();
        this.options = null;
        this.element = element("div", "editor");
        this.gutter = element("div", "gutter");
        this.lines = element("pre", "lines");
        this.popup = element("ul", "completions");
        this.popup.id = "completions";
        this.popup.hidden = true;
        this.popup.setAttribute("role", "listbox");
        this.popup.setAttribute("aria-label", "Completions");
        for (const one of [this.gutter, this.lines]) one.setAttribute("aria-hidden", "true");
        this.area = element("textarea", "code");
        this.area.spellcheck = false;
        this.area.autocapitalize = "off";
        this.area.wrap = "off";
        this.area.setAttribute("aria-label", label);
        this.area.setAttribute("aria-description", "Control and Space completes. Tab leaves the editor.");
        this.area.setAttribute("aria-autocomplete", "list");
        this.area.setAttribute("aria-controls", "completions");
        this.area.value = text;
        const view = element("div", "view");
        view.append(this.lines, this.area, this.popup);
        this.element.append(this.gutter, view);
        this.area.addEventListener("input", () => this.edited());
        this.area.addEventListener("scroll", () => { this.drawSoon(); this.hide(); });
        this.area.addEventListener("keydown", (event) => this.pressed(event));
        this.area.addEventListener("blur", () => { this.settle(); setTimeout(() => this.hide(), 150); });
        this.area.addEventListener("click", () => this.hide());
        new ResizeObserver(() => this.drawSoon()).observe(this.area);
    }

    get text() {
        return this.area.value;
    }

    /** Replaces the whole text, from the first changed line to the last. */
    replaceAll(text) {
        const before = this.text, most = Math.min(before.length, text.length);
        if (before === text) return;
        let start = 0, tail = 0;
        while (start < most && before[start] === text[start]) start += 1;
        while (tail < most - start && before.at(-1 - tail) === text.at(-1 - tail)) tail += 1;
        start = before.slice(0, start).lastIndexOf("\n") + 1;
        const end = before.indexOf("\n", before.length - tail);
        tail = end < 0 ? 0 : before.length - end;
        this.replace(start, before.length - tail, text.slice(start, text.length - tail));
    }

    /** Replaces a range as if it were typed, and moves the focus into the editor. A text of more than `UNDOABLE` lines can't be undone. */
    replace(start, end, text) {
        this.area.focus();
        this.area.setSelectionRange(start, end);
        const canUndo = document.activeElement === this.area && text.split("\n", UNDOABLE + 1).length <= UNDOABLE;
        if (canUndo && document.execCommand(text === "" ? "delete" : "insertText", false, text)) return;
        this.area.setRangeText(text, start, end, "end");
        this.edited();
    }

    /** Marks lines: `[{ line, message, kind }]`, lines from 0. */
    mark(marks) {
        this.marks = new Map(marks.map((one) => [one.line, one]));
        this.area.setAttribute("aria-invalid", String(marks.some((one) => one.kind !== "warn")));
        this.drawSoon();
    }

    /** Moves the caret to a line and shows it. */
    show(line) {
        const offset = lineStarts(this.text)[line] ?? 0;
        this.area.focus();
        this.area.setSelectionRange(offset, offset);
        this.area.scrollTop = Math.max(0, line * LINE - this.area.clientHeight / 2);
        this.drawSoon();
    }

    edited() {
        this.drawSoon();
        clearTimeout(this.pause);
        this.pause = setTimeout(() => this.settle(), PAUSE);
        if (this.area.textLength <= LARGE) this.settle();
    }

    /** Reports an edit that waits for its pause. */
    settle() {
        if (this.pause === undefined) return;
        clearTimeout(this.pause);
        this.pause = undefined;
        this.changed(this.text);
        if (document.activeElement === this.area) this.suggest(false);
    }

    /** Draws before the next frame: several changes of a keystroke lay the text out once. */
    drawSoon() {
        this.frame ??= requestAnimationFrame(() => {
            this.frame = undefined;
            this.draw();
        });
    }

    draw() {
        const { text } = this;
        const starts = lineStarts(text);
        const first = Math.max(0, Math.floor(this.area.scrollTop / LINE) - 2);
        const last = Math.min(starts.length, first + Math.ceil(this.area.clientHeight / LINE) + 5);
        const numbers = document.createDocumentFragment(), shown = document.createDocumentFragment();
        for (let index = first; index < last; index += 1) {
            const mark = this.marks.get(index);
            const number = element("div", mark ? `marked ${mark.kind ?? ""}` : "", String(index + 1));
            if (mark) number.title = mark.message;
            numbers.append(number);
            const line = element("div", mark ? `marked ${mark.kind ?? ""}` : "");
            coloured(text.slice(starts[index], (starts[index + 1] ?? text.length + 1) - 1), line);
            shown.append(line);
        }
        this.gutter.replaceChildren(numbers);
        this.lines.replaceChildren(shown);
        const top = first * LINE - this.area.scrollTop;
        this.gutter.style.setProperty("transform", `translateY(${top}px)`);
        this.lines.style.setProperty("transform", `translate(${-this.area.scrollLeft}px, ${top}px)`);
        this.gutter.style.setProperty("min-width", `${String(starts.length).length + 3}ch`);
    }

    /** Shows the completions at the caret; without `isAsked` only inside of quotes. */
    suggest(isAsked) {
        const offset = this.area.selectionStart;
        const found = this.complete(this.text, offset);
        const isInText = found && found.end > found.start;
        if (!found || found.options.length === 0 || (!isAsked && !isInText)) {
            this.hide();
            return;
        }
        this.options = found;
        this.chosen = 0;
        this.popup.hidden = false;
        this.area.setAttribute("aria-haspopup", "listbox");
        const line = lineOf(this.text, offset);
        const width = this.lines.getBoundingClientRect().width && this.characterWidth();
        const left = (offset - lineStarts(this.text)[line]) * width - this.area.scrollLeft;
        this.popup.style.setProperty("left", `${Math.max(0, Math.min(left, this.area.clientWidth - 200))}px`);
        this.popup.style.setProperty("top", `${(line + 1) * LINE + 8 - this.area.scrollTop}px`);
        this.drawOptions();
        announce(`${found.options.length} completions. ${found.options[0].text}`);
    }

    characterWidth() {
        this.probe ??= (() => {
            const probe = element("span", "probe", "0".repeat(100));
            this.lines.parentElement.append(probe);
            const { width } = probe.getBoundingClientRect();
            probe.remove();
            return width / 100;
        })();
        return this.probe;
    }

    drawOptions() {
        this.popup.replaceChildren(...this.options.options.map(({ text, note }, index) => {
            const item = element("li", index === this.chosen ? "chosen" : "", text);
            item.id = `completion-${index}`;
            item.setAttribute("role", "option");
            item.setAttribute("aria-selected", String(index === this.chosen));
            if (note) item.append(element("small", "", note));
            item.addEventListener("mousedown", (event) => { event.preventDefault(); this.chosen = index; this.accept(); });
            return item;
        }));
        this.area.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
        this.popup.children[this.chosen]?.scrollIntoView({ block: "nearest" });
    }

    hide() {
        this.options = null;
        this.popup.hidden = true;
        this.area.removeAttribute("aria-activedescendant");
    }

    accept() {
        const { start, end, options } = this.options;
        const { insert } = options[this.chosen];
        this.hide();
        this.replace(start, end, insert);
        this.settle();
        this.hide();
    }

    pressed(event) {
        const isAsked = event.key === " " && event.ctrlKey;
        // The completions are those of the settled text.
        if (isAsked || (this.options && ["ArrowDown", "ArrowUp", "Enter", "Tab", "Escape"].includes(event.key))) this.settle();
        if (isAsked) {
            event.preventDefault();
            this.suggest(true);
        } else if (this.options && ["ArrowDown", "ArrowUp"].includes(event.key)) {
            event.preventDefault();
            const count = this.options.options.length;
            this.chosen = (this.chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
            this.drawOptions();
            announce(this.options.options[this.chosen].text);
        } else if (this.options && (event.key === "Enter" || event.key === "Tab")) {
            event.preventDefault();
            this.accept();
        } else if (this.options && event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            this.hide();
        } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
            event.preventDefault();
            this.breakLine();
        }
    }

    /** Begins a line with the indentation of the current one, deeper after a bracket. */
    breakLine() {
        const { selectionStart: start, selectionEnd: end } = this.area;
        const line = this.text.slice(this.text.lastIndexOf("\n", start - 1) + 1, start);
        const indentation = /^\s*/.exec(line)[0] + (/[{[]\s*$/.test(line) ? "  " : "");
        this.replace(start, end, "\n" + indentation);
    }
}

function element(tag, name, text) {
    const made = document.createElement(tag);
    if (name) made.className = name;
    if (text !== undefined) made.textContent = text;
    return made;
}

/** Appends a line's tokens with their colours. */
function coloured(line, into) {
    let at = 0;
    for (const match of line.slice(0, 2000).matchAll(TOKENS)) {
        if (match.index > at) into.append(line.slice(at, match.index));
        const kind = match[1] ? (match[2] ? "key" : "text") : match[3] ? "number" : match[4] ? "word" : "mark";
        into.append(element("span", kind, match[1] ?? match[0]));
        if (match[1] && match[2]) into.append(match[2]);
        at = match.index + match[0].length;
    }
    into.append(line.slice(at) || (at === 0 ? "\u200b" : ""));
}
