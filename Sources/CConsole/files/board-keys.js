/** The board by keyboard: arrows move, Enter plugs or edits, letters do the rest. Every operation takes at most six keys. */
import { canCall } from "./api.js";
import { editPlan, resetPlan } from "./board-commands.js";
import { undo } from "./commands.js";
import { openDialog } from "./dialogs.js";
import { h } from "./dom.js";
import { refresh } from "./refresh.js";

const KEYS = [
    ["↑ ↓", "the previous or next action or implementation"],
    ["→ ←", "from an action to its implementations, and back"],
    ["Home End", "the first or last action"],
    ["Enter", "on an implementation: plug the action to it; on an action: edit its plan"],
    ["s", "split the calls with this implementation"],
    ["h", "let this implementation run as a shadow"],
    ["f", "use this implementation as a fallback"],
    ["r", "return to the plan in the code"],
    ["u", "undo the last change"],
    ["/", "search; ↓ or Enter goes to the first action found"],
    ["?", "these keys"],
];

/** The focus of a board: one tab stop that the arrows move. */
export function boardKeys(board) {
    let place = { action: null, implementation: null };

    function tabIndex(action, implementation, isFirst = false) {
        const isHere = place.action === action && place.implementation === implementation;
        const isLost = implementation === null && isFirst && !board.shown.some((one) => one.action === place.action);
        return isHere || isLost ? "0" : "-1";
    }

    function moved(action, implementation) {
        if (place.action === action && place.implementation === implementation) return;
        place = { action, implementation };
        refresh();
    }

    function focus(action, implementation) {
        const row = document.querySelector(`[data-action="${CSS.escape(action)}"]`);
        const node = implementation === null ? row?.querySelector("[data-action-node]")
            : row?.querySelector(`[data-implementation="${CSS.escape(implementation)}"]`);
        node?.focus();
        node?.scrollIntoView({ block: "nearest" });
    }

    function step(action, by) {
        const index = board.shown.indexOf(action) + by;
        const next = board.shown[Math.max(0, Math.min(board.shown.length - 1, index))];
        if (next) focus(next.action, null);
    }

    function stepImplementation(action, by) {
        const names = action.implementations.map((one) => one.name);
        const index = names.indexOf(place.implementation) + by;
        if (index >= 0 && index < names.length) focus(action.action, names[index]);
        else step(action, by);
    }

    const moves = {
        ArrowDown: (action) => place.implementation === null ? step(action, 1) : stepImplementation(action, 1),
        ArrowUp: (action) => place.implementation === null ? step(action, -1) : stepImplementation(action, -1),
        ArrowRight: (action) => {
            const first = action.cables[0]?.implementation ?? action.implementations[0]?.name;
            if (place.implementation === null && first !== undefined) focus(action.action, first);
        },
        ArrowLeft: (action) => focus(action.action, null),
        Home: () => step(board.shown[0], 0),
        End: () => step(board.shown.at(-1), 0),
        s: (action) => editPlan(board, action, { mode: "split", candidate: place.implementation }),
        h: (action) => editPlan(board, action, { mode: "shadow", candidate: place.implementation }),
        f: (action) => editPlan(board, action, { mode: "fallback", candidate: place.implementation }),
        r: (action) => action.live && canCall("ResetPlug") && resetPlan(board, action),
    };

    function pressed(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
        const operation = operationOf(event);
        if (!operation) return;
        event.preventDefault();
        operation();
    }

    /** The operation of a key: of the board's focus, and of the page for the keys that need none. */
    function operationOf({ key, target }) {
        const isInSearch = target.matches("input[type=search]"), isNowhere = target.matches("body, main");
        if ((isInSearch && key === "Enter" || (isInSearch || isNowhere) && key === "ArrowDown") && board.shown.length > 0) return moves.Home;
        if (/^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName)) return null;
        if (key === "?") return showKeys;
        if (key === "u") return undo;
        const action = board.shown.find((one) => one.action === place.action);
        return action && target.closest("[data-action]") && moves[key] ? () => moves[key](action) : null;
    }

    addEventListener("keydown", pressed);
    return { tabIndex, moved, isAt: (action) => place.action === action, focus, stop: () => removeEventListener("keydown", pressed) };
}

/** Shows the keys of the board. */
export function showKeys() {
    openDialog("Keys of the board", () => h("div", { class: "dialog-body" },
        h("table", { class: "keys" }, h("tbody", {}, KEYS.map(([key, meaning]) => h("tr", { key },
            h("th", { scope: "row" }, key.split(" ").map((one) => h("kbd", {}, one))), h("td", {}, meaning)))))));
}
