"""Rows, aims, and the tables that they make."""
import statistics
import sys


def say(message):
    print(message, file=sys.stderr, flush=True)


class Aim:
    """The most that Plugboard may take: a ratio `to` another server, or where that is None an absolute figure.

    `--check` fails above `bound`, which is the aim itself unless noise needs room.
    """

    def __init__(self, most, bound=None, to="limit"):
        self.most, self.bound, self.to = most, bound or most, to

    @property
    def is_narrow(self):
        """Whether it is so near to the other server's figure that the noise of a few rounds hides it."""
        return self.to == "limit" and self.most < 1.1

    def __str__(self):
        return f"≤ {self.most:g}" + ("" if self.to is None else f" × {self.to}")


class Row:
    """One case: for each server the figures of its rounds (none where it could not), in `unit`."""

    def __init__(self, title, unit, samples, form, aim=None, table="costs"):
        self.title, self.unit, self.samples, self.form, self.aim, self.table = title, unit, samples, form, aim, table

    def cell(self, name):
        samples = self.samples.get(name)
        return self.form.format(statistics.median(samples)) if samples else "–"

    def judged(self):
        """What the aim is for, one figure for each round: ratios, or Plugboard's own figures."""
        mine = self.samples.get("plugboard") or []
        if self.aim is None or self.aim.to is None:
            return mine
        return [one / other for one, other in zip(mine, self.samples.get(self.aim.to) or []) if other > 0]

    def ratio(self):
        """Plugboard's ratio to the server of its aim (the limit, where it has none), with the rounds' range."""
        other = "limit" if self.aim is None else self.aim.to
        ratios = [] if other is None or self.table != "costs" else [
            one / two for one, two in zip(self.samples.get("plugboard") or [], self.samples.get(other) or []) if two > 0]
        if not ratios:
            return ""
        text = f"{statistics.median(ratios):.2f} ×" + (" limit" if other == "limit" else f" {other}")
        return text if len(ratios) < 2 else f"{text} ({min(ratios):.2f} to {max(ratios):.2f})"

    def verdict(self):
        """The aim, and whether it was reached; then whether `--check` may pass."""
        judged = self.judged()
        if self.aim is None or not judged:
            return "", True
        figure = statistics.median(judged)
        return f"{self.aim}" + ("" if figure <= self.aim.most else " missed"), figure <= self.aim.bound


def tables(rows, servers, markdown):
    """All tables as text: costs of all servers, requests per second, and what was counted of Plugboard alone."""
    texts = []
    for name in ("costs", "rates"):
        if chosen := [row for row in rows if row.table == name]:
            heading = ["CPU time per request" if name == "costs" else "requests per second", "",
                       *(server.title for server in servers)]
            lines = [[row.title, row.unit, *(row.cell(server.name) for server in servers)] for row in chosen]
            if name == "costs":
                heading += ["Plugboard (range)", "aim"]
                lines = [[*line, row.ratio(), row.verdict()[0]] for line, row in zip(lines, chosen)]
            texts.append(layout([heading, *lines], markdown))
    if written := [row for row in rows if row.table == "writes"]:
        columns = {"plugboard": "Plugboard", "single": "SQLite, a commit each", "grouped": "SQLite, a commit for all",
                   "postgresql": "PostgreSQL"}
        lines = [[row.title, row.unit, *(row.cell(name) for name in columns), row.ratio_to("single"),
                  row.ratio_to("postgresql"), row.verdict()[0]] for row in written]
        heading = ["durable likes per second", "", *columns.values(), "to a commit each", "to PostgreSQL", "aim"]
        texts.append(layout([heading, *lines], markdown))
    if counted := [row for row in rows if row.table == "counts"]:
        lines = [[row.title, row.cell("plugboard"), row.verdict()[0]] for row in counted]
        texts.append(layout([["Plugboard alone, per request", "", "aim"], *lines], markdown))
    return "\n\n".join(texts)


def layout(lines, markdown):
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    if markdown:
        lines = [lines[0], ["-" * width for width in widths], *lines[1:]]
    rows = [[cell.ljust(width) for cell, width in zip(line, widths)] for line in lines]
    return "\n".join(f"| {' | '.join(row)} |" if markdown else "  ".join(row).rstrip() for row in rows)
