/** The try-out of the first minute: three steps with real actions. It is shown until it is done or dismissed. */
import { call, canCall, makeRequest, operation } from "./api.js";
import { replug } from "./board-commands.js";
import { preview } from "./commands.js";
import { h } from "./dom.js";
import { counted } from "./formats.js";
import { refresh } from "./refresh.js";
import { link } from "./routes.js";

const KEY = "plugboard-try-out";

/** Stores a step as done. The board marks it when it is drawn next. */
export function markStep(name) {
    const done = readSteps();
    localStorage.setItem(KEY, JSON.stringify([...new Set([...done, name])]));
}

function readSteps() {
    try {
        const value = JSON.parse(localStorage.getItem(KEY) ?? "[]");
        return Array.isArray(value) ? value : [];
    } catch {
        return [];
    }
}

/** The try-out of a board; it needs the sample's actions and the scopes to change them. */
export function tour(board) {
    const fits = () => ["LikePhoto", "ListPhotos", "PostPhoto", "SetPlug", "PutBehavior"].every(canCall) && Boolean(operation("LikePhoto"));

    function dismiss() {
        markStep("dismissed");
        refresh();
    }

    async function like() {
        const photos = await call("ListPhotos", { limit: 1 });
        if (photos.length === 0) {
            preview({
                title: "Post a photo first", verb: "Post", request: makeRequest("PostPhoto", {}, { body: { title: "Mir" } }),
                done: ({ id }) => `Photo ${id} is posted. Like it next.`,
            });
            return;
        }
        preview({
            title: `Like photo ${photos[0].id}`, verb: "Like", request: makeRequest("LikePhoto", { id: photos[0].id }, { body: {} }),
            done: ({ photo, likes }) => `Photo ${photo} has ${counted(likes, "like")}.`,
            after: () => markStep("like"),
        });
    }

    function view() {
        const done = readSteps();
        if (!fits() || done.includes("dismissed")) return null;
        const action = board.actions.find((one) => one.action === "LikePhoto");
        if (!action || !action.implementations.some((one) => one.name === "memory")) return null;
        if (action.plan === "memory" && !done.includes("replug")) markStep("replug");
        const steps = [
            { name: "like", title: "Like a photo", text: "The call flows through a cable of the board.",
                button: h("button", { type: "button", onclick: like }, "Like a photo") },
            { name: "replug", title: "Re-plug it to memory", text: "Drag the cable of LikePhoto, or press Enter on memory.",
                button: h("button", { type: "button", onclick: () => replug(board, action, "memory") }, "Re-plug LikePhoto") },
            { name: "rollout", title: "Roll out a behavior to 10 %", text: "A banner for a tenth of the users.",
                button: h("a", { class: "button", href: link("behaviors", ["default", "edit"], { example: "rollout" }) },
                    "Open the editor") },
        ];
        const marked = readSteps();
        const isDone = steps.every((step) => marked.includes(step.name));
        return h("section", { class: "tour card", "aria-label": "Try it out" },
            h("header", {}, h("h2", {}, isDone ? "All three steps are done" : "Try it out"),
                h("button", { type: "button", class: "small quiet", onclick: dismiss }, isDone ? "Close" : "Dismiss")),
            h("ol", {}, steps.map((step, index) => h("li", { key: step.name, class: marked.includes(step.name) ? "done" : "" },
                h("span", { class: "number", "aria-hidden": "true" }, marked.includes(step.name) ? "✓" : String(index + 1)),
                h("div", {}, h("b", {}, step.title), marked.includes(step.name) && h("span", { class: "visually-hidden" }, ", done"),
                    h("p", { class: "muted" }, step.text)),
                step.button))));
    }

    return { view };
}
