/** Repeated readings of pages, which stop while the person is idle: each would keep the session from ending. */

const IDLE = 600_000;
let lastInput = Date.now();
const waiting = new Set();

for (const type of ["pointerdown", "keydown", "wheel"]) {
    addEventListener(type, () => {
        lastInput = Date.now();
        for (const resume of [...waiting]) resume();
    }, { capture: true, passive: true });
}

/** Calls `read` again and again, that many seconds after each end. Returns a function that ends it. */
export function poll(seconds, read) {
    let timer, isStopped = false;
    const resume = async () => {
        if (Date.now() - lastInput > IDLE) return waiting.add(resume);
        waiting.delete(resume);
        await read();
        if (!isStopped) next();
    };
    const next = () => { timer = setTimeout(resume, seconds * 1000); };
    next();
    return () => {
        isStopped = true;
        waiting.delete(resume);
        clearTimeout(timer);
    };
}
