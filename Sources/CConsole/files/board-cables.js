/** The cables of the board: one SVG layer behind the rows. Only rows in view have cables, so that 200 actions cost as little as ten. */
import { cableState, figuresOf } from "./board-data.js";
import { h, render } from "./dom.js";
import { refresh } from "./refresh.js";

/** The layer of a board's cables. */
export function cables(board) {
    // The rows in view by their actions' names.
    const visible = new Map();
    let element = null, drawing = null, isScheduled = false, loose = null;
    const observer = new IntersectionObserver((entries) => {
        for (const { target, isIntersecting } of entries) {
            if (isIntersecting) visible.set(target.dataset.action, target);
            else if (visible.get(target.dataset.action) === target) visible.delete(target.dataset.action);
        }
        // Rows that were out of view may have old figures.
        refresh();
        schedule();
    }, { rootMargin: "300px 0px" });
    const resized = new ResizeObserver(schedule);

    function schedule() {
        if (isScheduled) return;
        isScheduled = true;
        requestAnimationFrame(() => {
            isScheduled = false;
            draw();
        });
    }

    function draw() {
        if (!element?.isConnected || !drawing) return;
        const frame = element.getBoundingClientRect();
        const byName = new Map(board.actions.map((action) => [action.action, action]));
        const drawn = [];
        for (const [name, row] of visible) {
            const action = byName.get(name);
            if (action && row.isConnected) drawn.push(...rowCables(board, action, row, frame));
        }
        if (loose) drawn.push(h("path", { key: "loose", class: "cable loose", d: curve(loose.from, loose.to) }));
        render(drawing, drawn);
    }

    return {
        attach: (made) => { element = made; resized.observe(made); },
        detach: (gone) => { if (element === gone) element = null; resized.unobserve(gone); },
        attachCables: (made) => { drawing = made; schedule(); },
        watch: (row) => { observer.observe(row); resized.observe(row); },
        unwatch: (row) => {
            observer.unobserve(row);
            resized.unobserve(row);
            if (visible.get(row.dataset.action) === row) visible.delete(row.dataset.action);
        },
        isInView: (name) => visible.has(name),
        schedule,
        /** Draws a cable from an action's handle to the pointer; null removes it. */
        pull: (from, to) => {
            const frame = element?.getBoundingClientRect();
            loose = from && frame ? { from: relative(from, frame), to: relative(to, frame) } : null;
            schedule();
        },
        stop: () => { observer.disconnect(); resized.disconnect(); },
    };
}

function relative({ x, y }, frame) {
    return { x: x - frame.left, y: y - frame.top };
}

/** The cables of a row: a base, and dots that flow with the rate. */
function rowCables(board, action, row, frame) {
    const source = middle(row.querySelector("[data-trunk]"), frame, "right");
    const outlet = middle(row.querySelector("[data-action-node]"), frame, "right");
    const drawn = [];
    const isStacked = source.y > outlet.y + 24;
    const start = isStacked ? { x: outlet.left + 24, y: outlet.bottom } : source;
    if (!isStacked && source.x > outlet.x + 16) drawn.push(h("path", { key: `${action.action}/trunk`, class: "cable trunk-cable",
        d: `M${outlet.x} ${outlet.y}H${source.left}` }));
    for (const cable of action.cables) {
        const end = row.querySelector(`[data-cable="${CSS.escape(cable.key)}"]`);
        if (!end) continue;
        const place = isStacked ? { ...middle(end, frame, "left"), x: middle(end.parentElement, frame, "right").x }
            : middle(end, frame, "left");
        const path = isStacked ? elbow(start, place) : curve(start, place);
        const figures = figuresOf(board, action.action, cable.implementation);
        const state = cableState(board, action, cable);
        const key = `${action.action} ${cable.key}`;
        const kind = `${cable.role} ${state}`;
        drawn.push(h("path", { key, class: `cable ${kind}`, d: path }));
        if (figures?.rate > 0 && state !== "open") {
            drawn.push(h("path", { key: `${key} flow`, class: `flow ${kind}`, d: path, styles: { "--flow": flowSeconds(figures.rate) } }));
        }
    }
    return drawn;
}

/** The seconds of one step of the dots: 2 s for one request a second, 0.4 s for a thousand and more. */
function flowSeconds(rate) {
    const seconds = Math.max(0.4, 2 - 0.55 * Math.log10(1 + rate));
    return `${(Math.round(seconds * 5) / 5).toFixed(1)}s`;
}

function middle(element, frame, side) {
    const box = element.getBoundingClientRect();
    const y = box.top - frame.top + box.height / 2;
    return { x: Math.round(box[side] - frame.left), y: Math.round(y), left: Math.round(box.left - frame.left),
        bottom: Math.round(box.bottom - frame.top) };
}

function curve(from, to) {
    const bend = Math.max(24, Math.abs(to.x - from.x) * 0.5);
    return `M${from.x} ${from.y}C${from.x + bend} ${from.y} ${to.x - bend} ${to.y} ${to.x} ${to.y}`;
}

/** A cable of narrow screens: down from the action, then to the right. */
function elbow(from, to) {
    return `M${from.x} ${from.y}V${to.y - 8}Q${from.x} ${to.y} ${from.x + 8} ${to.y}H${to.x}`;
}
