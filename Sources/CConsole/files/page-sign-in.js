/** The page of signing in with a token. */
import { h } from "./dom.js";
import { refresh } from "./refresh.js";
import { currentRoute, go } from "./routes.js";
import { isSignedIn, session, signIn, signInNotice } from "./session.js";
import { copyable, field, pageHead } from "./widgets.js";

export function open() {
    let text = "", remember = false, error = null, isRunning = false;
    const submit = async (event) => {
        event.preventDefault();
        isRunning = true;
        error = null;
        refresh();
        try {
            await signIn(text, { remember });
            text = "";
            const from = currentRoute().query.get("from");
            go(from?.startsWith("#/") && !from.startsWith("#/sign-in") ? from : "#/board");
        } catch (failure) {
            error = failure.message;
        } finally {
            isRunning = false;
            refresh();
        }
    };
    return {
        title: "Sign in",
        view: () => h("div", { class: "narrow page" },
            pageHead("Sign in", isSignedIn() ? `You are signed in as ${session().name ?? "a token without a name"}.`
                : "With a token of this server."),
            signInNotice() && h("p", { class: "notice warn" }, signInNotice()),
            h("form", { class: "card stack", onsubmit: submit },
                field("Token", h("input", {
                    type: "password", autocomplete: "off", spellcheck: "false", required: true, value: text,
                    oninput: (event) => { text = event.currentTarget.value; },
                }), { error }),
                h("label", { class: "check" },
                    h("input", { type: "checkbox", checked: remember,
                        onchange: (event) => { remember = event.currentTarget.checked; refresh(); } }),
                    h("span", {}, "Stay signed in on this browser",
                        h("small", {}, remember
                            ? "The server makes a session of at most 12 hours. Its cookie can't be read by scripts."
                            : "Otherwise the token stays in this tab's memory, until it is reloaded or closed."))),
                h("div", {}, h("button", { class: "primary", disabled: isRunning }, isRunning ? "Signing in …" : "Sign in"))),
            h("section", { class: "stack" },
                h("h2", {}, "No token yet?"),
                h("p", { class: "muted" },
                    "Make one on the server's machine. A server that only its own machine can reach also prints a sign-in link when it starts in a terminal."),
                copyable("plugboard token create --data data --scope admin --name ada", "command"))),
    };
}
