/** Requests that wait while the person is idle: each would keep the session from ending. */

const IDLE = 600_000;
let lastInput = Date.now();
const waiting = new Set();

for (const type of ["pointerdown", "keydown", "wheel"]) {
    addEventListener(type, () => {
        lastInput = Date.now();
        for (const operation of [...waiting]) {
            waiting.delete(operation);
            operation();
        }
    }, { capture: true, passive: true });
}

/** Calls `operation` now, or with the next input of an idle person. Returns a function that cancels it. */
export function whenActive(operation) {
    if (Date.now() - lastInput > IDLE) waiting.add(operation);
    else operation();
    return () => waiting.delete(operation);
}

/** Calls `operation` after some seconds, or with the next input of a person who is idle then. Returns a function that cancels it. */
export function later(seconds, operation) {
    let cancel;
    const timer = setTimeout(() => { cancel = whenActive(operation); }, seconds * 1000);
    return () => {
        clearTimeout(timer);
        cancel?.();
    };
}

/** Calls `read` again and again, that many seconds after each end. Returns a function that ends it. */
export function poll(seconds, read) {
    let isStopped = false, cancel;
    const next = () => {
        cancel = later(seconds, async () => {
            await read();
            if (!isStopped) next();
        });
    };
    next();
    return () => {
        isStopped = true;
        cancel();
    };
}
