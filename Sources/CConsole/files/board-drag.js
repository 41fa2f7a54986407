/** Dragging a cable from an action to one of its implementations. */
import { replug } from "./board-commands.js";
import { announce } from "./notices.js";
import { refresh } from "./refresh.js";

/** The drag of a board: at most one at a time. */
export function dragging(board, layer, focus) {
    let current = null;

    function begin(event, action) {
        if (event.button !== 0) return;
        event.preventDefault();
        const box = event.currentTarget.getBoundingClientRect();
        current = { action, from: { x: box.left + box.width / 2, y: box.top + box.height / 2 }, target: null };
        addEventListener("pointermove", move);
        addEventListener("pointerup", drop);
        addEventListener("pointercancel", stop);
        addEventListener("keydown", cancelled, true);
        announce(`Dragging the cable of ${action.action}.`);
        layer.pull(current.from, { x: event.clientX, y: event.clientY });
        refresh();
    }

    function move(event) {
        layer.pull(current.from, { x: event.clientX, y: event.clientY });
        const target = targetAt(event);
        if (target !== current.target) {
            current.target = target;
            refresh();
        }
    }

    function targetAt({ clientX, clientY }) {
        const node = document.elementFromPoint(clientX, clientY)?.closest("[data-implementation]");
        return node?.closest("[data-action]")?.dataset.action === current.action.action ? node.dataset.implementation : null;
    }

    function drop(event) {
        const { action } = current;
        const target = targetAt(event);
        stop();
        if (!target) {
            announce("Nothing is changed.");
            return;
        }
        focus.focus(action.action, target);
        replug(board, board.actions.find((one) => one.action === action.action) ?? action, target);
    }

    function cancelled(event) {
        if (event.key !== "Escape") return;
        event.preventDefault();
        stop();
        announce("Nothing is changed.");
    }

    function stop() {
        current = null;
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", drop);
        removeEventListener("pointercancel", stop);
        removeEventListener("keydown", cancelled, true);
        layer.pull(null);
        refresh();
    }

    return {
        begin, stop,
        /** The name of the action whose cable is dragged. */
        action: () => current?.action.action ?? null,
        isTarget: (action, implementation) => current?.action.action === action.action && current.target === implementation.name,
    };
}
