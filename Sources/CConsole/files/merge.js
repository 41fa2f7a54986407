/** Line-based differences and three-way merges of texts. */

const LARGEST = 4_000_000;

/** The pairs of equal lines of two texts, in order: `[index, index]`. */
function matches(one, other) {
    let start = 0;
    while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
    let end = 0;
    while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
    const pairs = [];
    for (let index = 0; index < start; index += 1) pairs.push([index, index]);
    const height = one.length - start - end, width = other.length - start - end;
    if (height * width <= LARGEST) {
        for (const [row, column] of longest(one.slice(start, start + height), other.slice(start, start + width))) pairs.push([row + start,
            column + start]);
    }
    for (let index = end; index > 0; index -= 1) pairs.push([one.length - index, other.length - index]);
    return pairs;
}

/** The longest common subsequence, by dynamic programming. */
function longest(one, other) {
    const width = other.length + 1;
    const lengths = new Uint32Array((one.length + 1) * width);
    for (let row = one.length - 1; row >= 0; row -= 1) {
        for (let column = other.length - 1; column >= 0; column -= 1) {
            lengths[row * width + column] = one[row] === other[column] ? lengths[(row + 1) * width + column + 1] + 1
                : Math.max(lengths[(row + 1) * width + column], lengths[row * width + column + 1]);
        }
    }
    const pairs = [];
    for (let row = 0, column = 0; row < one.length && column < other.length;) {
        if (one[row] === other[column]) pairs.push([row++, column++]);
        else if (lengths[(row + 1) * width + column] >= lengths[row * width + column + 1]) row += 1;
        else column += 1;
    }
    return pairs;
}

/** The differences of two texts: parts with `kind` (`same`, `changed`), `before` and `after` lines. */
export function difference(before, after) {
    const one = before === "" ? [] : before.split("\n"), other = after === "" ? [] : after.split("\n");
    const parts = [];
    let row = 0, column = 0;
    for (const [nextRow, nextColumn] of [...matches(one, other), [one.length, other.length]]) {
        if (nextRow > row || nextColumn > column) {
            parts.push({ kind: "changed", before: one.slice(row, nextRow), after: other.slice(column, nextColumn) });
        }
        if (nextRow < one.length) {
            const last = parts.at(-1);
            if (last?.kind === "same") last.before.push(one[nextRow]);
            else parts.push({ kind: "same", before: [one[nextRow]] });
        }
        row = nextRow + 1;
        column = nextColumn + 1;
    }
    for (const part of parts) if (part.kind === "same") part.after = part.before;
    return parts;
}

/** Merges the changes of two texts since their base. Parts have `kind`: `same`, `mine`, `theirs`, `both` (equal changes) or `conflict`, and
    the lines of the three texts. */
export function merge(base, mine, theirs) {
    const lines = base.split("\n"), own = mine.split("\n"), other = theirs.split("\n");
    const inOwn = new Map(matches(lines, own)), inOther = new Map(matches(lines, other));
    const parts = [];
    let at = 0, ownAt = 0, otherAt = 0;
    const unstable = (to, ownTo, otherTo) => {
        if (to === at && ownTo === ownAt && otherTo === otherAt) return;
        const part = { base: lines.slice(at, to), mine: own.slice(ownAt, ownTo), theirs: other.slice(otherAt, otherTo) };
        const [text, ownText, otherText] = [part.base, part.mine, part.theirs].map((list) => list.join("\n") + `\n${list.length}`);
        const kind = kindOf(text, ownText, otherText);
        if (kind !== "conflict" || part.base.length !== part.mine.length || part.base.length !== part.theirs.length) {
            parts.push({ ...part, kind });
            return;
        }
        // Each line has its own kind, so that changes in neighbouring lines don't conflict.
        part.base.forEach((line, index) => add(kindOf(line, part.mine[index], part.theirs[index]), line, part.mine[index], part.theirs[index]));
    };
    /** Adds a line of each text to the last part, or to a new one of another kind. */
    const add = (kind, line, own, other) => {
        if (parts.at(-1)?.kind !== kind) parts.push({ kind, base: [], mine: [], theirs: [] });
        const last = parts.at(-1);
        last.base.push(line);
        last.mine.push(own);
        last.theirs.push(other);
    };
    for (let index = 0; index < lines.length; index += 1) {
        if (!inOwn.has(index) || !inOther.has(index)) continue;
        unstable(index, inOwn.get(index), inOther.get(index));
        add("same", lines[index], lines[index], lines[index]);
        at = index + 1;
        ownAt = inOwn.get(index) + 1;
        otherAt = inOther.get(index) + 1;
    }
    unstable(lines.length, own.length, other.length);
    return parts;
}

function kindOf(base, mine, theirs) {
    if (mine === theirs) return mine === base ? "same" : "both";
    return mine === base ? "theirs" : theirs === base ? "mine" : "conflict";
}

/** The merged text. `choices` has `mine` or `theirs` for the index of each conflict; a conflict without one keeps both. */
export function mergedText(parts, choices) {
    return parts.flatMap((part, index) => {
        switch (part.kind) {
        case "theirs": return part.theirs;
        case "conflict": return choices.get(index) === "mine" ? part.mine : choices.get(index) === "theirs" ? part.theirs
            : [...part.theirs, ...part.mine];
        default: return part.mine;
        }
    }).join("\n");
}
