/** The difference of two texts, line by line. Long equal parts are shortened. */
import { h } from "./dom.js";

const AROUND = 3;
/** The most lines that are drawn. */
const SHOWN = 2000;

/** The lines of `difference`. Each has a sign, so that colours aren't the only mark. */
export function differenceView(parts) {
    const lines = parts.flatMap((part, index) => part.kind === "same" ? equalLines(part.before, index, parts.length)
        : [...part.before.map((text) => ["−", text, "removed"]), ...part.after.map((text) => ["+", text, "added"])]);
    if (!parts.some((part) => part.kind === "changed")) return h("p", { class: "muted" }, "The texts are equal.");
    const rest = lines.length > SHOWN ? [["…", `${lines.length - SHOWN} more lines`, "skipped"]] : [];
    return h("div", { class: "difference", tabindex: "0", role: "group", "aria-label": "Changed lines" },
        [...lines.slice(0, SHOWN), ...rest].map(([sign, text, kind], index) =>
        h("div", { key: String(index), class: kind }, h("span", { class: "sign" }, sign), h("code", {}, text || " "))));
}

function equalLines(lines, index, count) {
    const shown = lines.map((text) => [" ", text, ""]);
    const head = index === 0 ? 0 : AROUND, tail = index === count - 1 ? 0 : AROUND;
    if (lines.length <= head + tail + 2) return shown;
    return [...shown.slice(0, head), ["…", `${lines.length - head - tail} equal lines`, "skipped"],
        ...(tail > 0 ? shown.slice(-tail) : [])];
}
