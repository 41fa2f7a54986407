/** Numbers and times as people read them. */
import { h } from "./dom.js";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "long" });
const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const precise = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3600], ["minute", 60]];

/** "3 minutes ago", "in 2 hours", "just now". */
export function sinceText(date, now = Date.now()) {
    const seconds = (date.getTime() - now) / 1000;
    for (const [unit, length] of UNITS) {
        const count = Math.round(Math.abs(seconds) / length);
        if (Math.abs(seconds) >= length) return relative.format(seconds < 0 ? -count : count, unit);
    }
    return Math.abs(seconds) < 10 ? "just now" : seconds < 0 ? "a moment ago" : "in a moment";
}

/** A time in the reader's zone; UTC is shown on hover. */
export function time(text, { style = "relative" } = {}) {
    if (!text) return h("span", { class: "muted" }, "–");
    const date = new Date(text);
    if (Number.isNaN(date.getTime())) return h("span", {}, text);
    const utc = date.toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC");
    const shown = style === "relative" ? sinceText(date) : style === "precise" ? precise.format(date) : local.format(date);
    return h("time", { datetime: date.toISOString(), title: style === "relative" ? `${precise.format(date)} · ${utc}` : utc }, shown);
}

/** A rate: "0", "0.4", "12", "1.2 k". */
export function rateText(value) {
    if (!value) return "0";
    if (value >= 1000) return `${trimmed(value / 1000, 1)} k`;
    return value >= 10 ? String(Math.round(value)) : trimmed(value, value < 0.1 ? 2 : 1);
}

/** A duration of microseconds: "120 µs", "1.4 ms", "2.1 s". */
export function durationText(microseconds) {
    if (microseconds === null || microseconds === undefined) return "–";
    if (microseconds < 1000) return `${Math.round(microseconds)} µs`;
    if (microseconds < 1_000_000) return `${trimmed(microseconds / 1000, microseconds < 10_000 ? 1 : 0)} ms`;
    return `${trimmed(microseconds / 1_000_000, 1)} s`;
}

/** A percentage of at most three decimals: "10 %", "0.5 %". */
export function percentText(value) {
    return `${trimmed(value, 3)} %`;
}

function trimmed(value, decimals) {
    return String(Number(value.toFixed(decimals)));
}

/** "1 approval", "2 approvals". */
export function counted(count, noun, plural = noun + "s") {
    return `${count} ${count === 1 ? noun : plural}`;
}

/** "A, B or C". */
export function listed(names, word = "or") {
    return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${word} ${names.at(-1)}`;
}
