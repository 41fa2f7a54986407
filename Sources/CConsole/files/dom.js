/** Descriptions of elements, and patching the document to match them. */

const SVG = "http://www.w3.org/2000/svg";
/** The mark of descriptions, which no value of a response has: such a value is shown as its JSON. */
const DESCRIBED = Symbol("described");
const SVG_TAGS = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "polyline"]);

/** Describes an element. `props.key` identifies it among its siblings; an element with `created` needs one, because others are reused. Null and false children are left out. */
export function h(tag, props, ...children) {
    return { [DESCRIBED]: true, tag, key: props?.key, props: props ?? {}, children: flatten(children, []), element: null };
}

function flatten(children, into) {
    for (const child of children) {
        if (Array.isArray(child)) flatten(child, into);
        else if (child !== null && child !== undefined && child !== false && child !== true) {
            into.push(child[DESCRIBED] ? child : { tag: null, text: textOf(child), element: null });
        }
    }
    return into;
}

function textOf(value) {
    return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Makes the children of `parent` match the descriptions. Elements of the same key and tag are reused. */
export function render(parent, ...children) {
    const described = flatten(children, []);
    patchChildren(parent, parent.describedChildren ?? [], described);
    parent.describedChildren = described;
}

function patchChildren(parent, before, after) {
    const keyed = new Map();
    const unkeyed = [];
    for (const old of before) {
        if (old.key !== undefined) keyed.set(old.key, old);
        else unkeyed.push(old);
    }
    let next = 0;
    const used = new Set();
    for (const description of after) {
        let old = description.key === undefined ? unkeyed[next++] : keyed.get(description.key);
        // A button that becomes a submit button while it is clicked would submit its form.
        if (old && (old.tag !== description.tag || old.props?.type !== description.props?.type || used.has(old))) old = undefined;
        if (old) {
            used.add(old);
            patch(old, description);
        } else create(description);
    }
    for (const old of before) if (!used.has(old)) remove(old);
    let place = parent.firstChild;
    for (const description of after) {
        if (description.element === place) place = place.nextSibling;
        else parent.insertBefore(description.element, place);
    }
}

function create(description) {
    if (description.tag === null) {
        description.element = document.createTextNode(description.text);
        return;
    }
    const element = SVG_TAGS.has(description.tag)
        ? document.createElementNS(SVG, description.tag) : document.createElement(description.tag);
    description.element = element;
    patchChildren(element, [], description.children);
    for (const name in description.props) setProperty(element, name, description.props[name], undefined);
    description.props.created?.(element);
}

function patch(old, description) {
    // A description that is given again has no changes.
    if (old === description) return;
    const element = description.element = old.element;
    if (description.tag === null) {
        if (old.text !== description.text) element.data = description.text;
        return;
    }
    if (!description.props.isOpaque) patchChildren(element, old.children, description.children);
    for (const name in old.props) if (!(name in description.props)) setProperty(element, name, undefined, old.props[name]);
    for (const name in description.props) setProperty(element, name, description.props[name], old.props[name]);
}

function remove(old) {
    forget(old);
    old.element.remove();
}

function forget(old) {
    for (const child of old.children ?? []) forget(child);
    old.props?.removed?.(old.element);
}

/** Sets an attribute, a listener (`onclick`), a property of a form's control, or styles by CSSOM, as the security policy requires. */
function setProperty(element, name, value, before) {
    if (name === "key" || name === "created" || name === "removed" || name === "isOpaque") return;
    if (name === "value" || name === "checked" || name === "selected" || name === "indeterminate") {
        if (element[name] !== (value ?? "") && !(name === "value" && hasNumber(element, value))) element[name] = value ?? "";
        return;
    }
    if (value === before) return;
    if (name.startsWith("on")) element[name] = value ?? null;
    else if (name === "styles") for (const property in value) element.style.setProperty(property, value[property]);
    else if (value === undefined || value === null || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : value);
}

/** Whether the text in an input of numbers means the number. Another text of it would move the caret of a person who types "0.05". */
function hasNumber(element, value) {
    return element.type === "number" && element.value !== "" && (value ?? "") !== "" && Number(element.value) === Number(value);
}

/** Joins the names whose conditions are true: `classes("row", isOpen && "open")`. */
export function classes(...names) {
    return names.filter(Boolean).join(" ");
}
