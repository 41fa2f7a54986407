"""Commands that a page shows, and the patterns that their outputs must match."""
import re

# Parts of an output that differ from run to run: times, entity tags, numbers of tokens, digests.
TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|\+0000)|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"
TAG = r'"[0-9a-f]{16}-[0-9a-f]+"'
DIGEST = r"\b[0-9a-f]{64}\b|\b[0-9a-f]{12}\b"
# Parts that depend on the load, too: numbers of rows and revisions, times in seconds.
LOAD = r"\b\d+ rows?\b|\b\d+ revisions?\b|(?<=\"rows\":)\d+|(?<=\"revisions\":)\d+|(?<=\"created\":|\"expires\":)\d+"


def section(page, title, level="##"):
    """The text of a section, up to the next one of its level."""
    found = re.search(rf"^{level} {re.escape(title)}\n(.*?)(?=^##? |^{level} |\Z)", page.read_text(), re.M | re.S)
    if not found:
        raise ValueError(f"{page} has no section {title}")
    return found[1]


def commands(text):
    """The commands of a section's code blocks, each with the lines that it prints; a command begins with `$ `."""
    shown = []
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S):
        is_shown = False
        for line in block.splitlines() if not language else []:
            if line.startswith("$ "):
                is_shown = True
                shown.append((line[2:], []))
            elif is_shown:
                shown[-1][1].append(line)
    return shown


def pattern(lines, variable=f"{TIME}|{TAG}"):
    """The regular expression of an output: whole lines, anything in place of a line `…` or of `…` in a line."""
    parts = []
    for line in lines:
        if line.strip() == "…":
            parts.append(r"(?:.*\n)*?")
        else:
            texts = re.split(f"({variable})", line)
            parts.append("".join(f"(?:{variable})" if place % 2 else re.escape(text).replace("…", ".*")
                                 for place, text in enumerate(texts)) + r"\n")
    return "".join(parts)
