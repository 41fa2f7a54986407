/** One drawing of the console for all changes of a turn. */

let draw = () => {};
let isScheduled = false;

/** Sets the function that draws the console. */
export function onRefresh(operation) {
    draw = operation;
}

/** Draws the console soon. Several calls in one turn draw once. */
export function refresh() {
    if (isScheduled) return;
    isScheduled = true;
    queueMicrotask(() => {
        isScheduled = false;
        draw();
    });
}
