/** Plans of plugs as cables between an action and its implementations, and as a form. */

/** The layers around one plan, with the fields of each and their first values (Documentation/Plugs.md). Those that aren't needed have
    them as the server's defaults. */
export const LAYERS = {
    cache: { title: "Cache", fields: { seconds: { title: "Seconds", initial: 60, min: 0.001, max: 86400 },
        entries: { title: "Entries", initial: 1000, min: 1, max: 10_000_000 } } },
    breaker: { title: "Breaker", fields: { failures: { title: "Failures in a row", initial: 5, min: 1, max: 1_000_000 },
        seconds: { title: "Pause in seconds", initial: 30, min: 0.001, max: 86400 } } },
    retry: { title: "Retry", fields: { attempts: { title: "Attempts", initial: 3, min: 2, max: 10 },
        delay: { title: "Delay in seconds", initial: 0.1, min: 0, max: 10 } } },
    timeout: { title: "Timeout", fields: { seconds: { title: "Seconds", initial: 5, min: 0.001, max: 86400, isNeeded: true } } },
    decorate: { title: "Decorator", fields: { with: { title: "Name", initial: "", isText: true, isNeeded: true } } },
};

/** The cables of a plan: for each, the implementation, its role (`plain`, `split`, `shadow`, `fallback`), share or order, and the layers
    around it alone. `trunk` has the layers around all of them. The pointer of a layer is the server's, a JSON Pointer into the plan. */
export function cables(plan) {
    const found = [];
    walk(plan, { layers: [], role: "plain", share: null, order: null, pointer: "" }, found);
    let common = 0;
    while (found.length > 0 && found.every((cable) => cable.layers[common]
        && cable.layers[common].pointer === found[0].layers[common].pointer)) {
        common += 1;
    }
    const trunk = found[0]?.layers.slice(0, common) ?? [];
    for (const cable of found) cable.layers = cable.layers.slice(common);
    return { trunk, cables: found };
}

function walk(plan, place, found) {
    if (plan === null || plan === undefined) return;
    if (typeof plan === "string") {
        found.push({ ...place, implementation: plan, key: `${place.pointer}:${plan}` });
        return;
    }
    const kind = Object.keys(plan).find((name) => name !== "guard");
    const pointer = `${place.pointer}/${kind}`;
    const value = plan[kind];
    if (kind === "split") {
        for (const [name, share] of Object.entries(value)) {
            const total = place.share === null ? share : place.share * share / 100;
            walk(name, { ...place, role: place.role === "shadow" ? "shadow" : "split", share: total, pointer }, found);
        }
    } else if (kind === "shadow") {
        walk(value.plug, { ...place, pointer: `${pointer}/plug` }, found);
        walk(value.with, { ...place, role: "shadow", pointer: `${pointer}/with` }, found);
    } else if (kind === "fallback") {
        value.forEach((step, index) => {
            const order = place.order === null ? `${index + 1}` : `${place.order}.${index + 1}`;
            const inner = { ...place, role: place.role === "shadow" ? "shadow" : "fallback", order, pointer: `${pointer}/${index}` };
            if (step.timeout === undefined) walk(step, inner, found);
            else {
                const timeout = { kind: "timeout", value: { seconds: step.timeout }, pointer: inner.pointer };
                walk(step.plug, { ...inner, layers: [...inner.layers, timeout], pointer: `${inner.pointer}/plug` }, found);
            }
        });
    } else if (value?.plug !== undefined) {
        walk(value.plug, { ...place, layers: [...place.layers, { kind, value, pointer }], pointer: `${pointer}/plug` }, found);
    }
}

/** The plan in words: "90 % database, 10 % memory", "network, then memory". */
export function planText(plan) {
    if (plan === null || plan === undefined) return "no plug";
    if (typeof plan === "string") return plan;
    const kind = Object.keys(plan).find((name) => name !== "guard");
    const value = plan[kind];
    switch (kind) {
    case "split": return Object.entries(value).map(([name, share]) => `${share} % ${name}`).join(", ");
    case "shadow": return `${planText(value.plug)} with ${planText(value.with)} as its shadow`;
    case "fallback": return value.map((step) => planText(step.plug ?? step)).join(", then ");
    default: return `${planText(value.plug)} with ${Object.hasOwn(LAYERS, kind) ? LAYERS[kind].title.toLowerCase() : kind}`;
    }
}

/** A layer in a few words: "retry ×3", "timeout 5 s". */
export function layerText({ kind, value }) {
    switch (kind) {
    case "cache": return `cache ${value.seconds ? `${value.seconds} s` : ""}`.trim();
    case "retry": return `retry ×${value.attempts ?? 3}`;
    case "timeout": return `timeout ${value.seconds} s`;
    case "decorate": return value.with;
    default: return kind;
    }
}

/** A form's values for a plan; null if the plan nests deeper than the form shows. */
export function formOf(plan, names) {
    const layers = [];
    let core = plan ?? names[0] ?? "";
    while (typeof core === "object" && Object.hasOwn(LAYERS, Object.keys(core)[0])) {
        const kind = Object.keys(core)[0];
        const { plug, ...values } = core[kind];
        layers.push({ kind, values });
        core = plug;
    }
    const form = emptyForm(names, layers);
    if (typeof core === "string") return { ...form, mode: "one", one: core, shares: { ...form.shares, [core]: 100 } };
    if (core.guard) form.guard = { ...core.guard };
    if (core.split) return { ...form, mode: "split", shares: { ...form.shares, ...core.split } };
    if (core.shadow) {
        const { plug, with: candidate, limit, unsafe = false } = core.shadow;
        return typeof plug === "string" && typeof candidate === "string"
            ? { ...form, mode: "shadow", shadow: { plug, with: candidate, limit, unsafe } } : null;
    }
    if (core.fallback) {
        const steps = core.fallback.map((step) => typeof step === "string" ? { plug: step } : { ...step });
        return steps.every((step) => typeof step.plug === "string") ? { ...form, mode: "fallback", steps } : null;
    }
    return null;
}

function emptyForm(names, layers) {
    return {
        mode: "one", one: names[0] ?? "", layers, guard: null,
        shares: Object.fromEntries(names.map((name) => [name, 0])),
        shadow: { plug: names[0] ?? "", with: names[1] ?? names[0] ?? "", limit: undefined, unsafe: false },
        steps: names.slice(0, 2).map((plug) => ({ plug })),
    };
}

/** The plan that a form's values describe. */
export function planOf(form) {
    let plan = corePlan(form);
    for (const { kind, values } of form.layers.toReversed()) plan = { [kind]: { plug: plan, ...values } };
    return plan;
}

function corePlan(form) {
    const guard = form.guard && (form.mode === "split" || form.mode === "shadow") ? { guard: form.guard } : {};
    switch (form.mode) {
    case "split": return { split: Object.fromEntries(Object.entries(form.shares).filter(([, share]) => share > 0)), ...guard };
    case "shadow": {
        const { plug, with: candidate, limit, unsafe } = form.shadow;
        return { shadow: { plug, with: candidate, ...(limit && { limit }), ...(unsafe && { unsafe }) }, ...guard };
    }
    case "fallback": return { fallback: form.steps.map((step) => step.timeout ? step : step.plug) };
    default: return form.one;
    }
}

/** A sentence about a form that can't be sent yet; null if it can. */
export function formFault(form) {
    if (form.mode === "split") {
        const sum = Object.values(form.shares).reduce((total, share = 0) => total + share, 0);
        if (Math.abs(sum - 100) > 0.0005) return `The shares add up to ${Number(sum.toFixed(3))} %. They have to be 100 %.`;
    }
    if (form.mode === "shadow" && form.shadow.plug === form.shadow.with) return "The shadow is the same implementation. Choose another.";
    if (form.mode === "fallback" && form.steps.length < 2) return "A fallback has at least two steps. Add one.";
    for (const { kind, values } of form.layers) {
        for (const [name, { title, isNeeded }] of Object.entries(LAYERS[kind].fields)) {
            if (isNeeded && !values[name]) return `The ${LAYERS[kind].title.toLowerCase()} needs its ${title.toLowerCase()}.`;
        }
    }
    return null;
}
