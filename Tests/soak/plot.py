"""A plot of a soak as SVG, without a library."""
from samples import KINDS, thinned

WIDTH, HEIGHT, LEFT, TOP = 290, 110, 34, 30
COLORS = {"plain": "#1f6feb", "secure": "#c2410c"}


def draw(samples, requests):
    """A panel for each figure, a line for each server, and the figures below."""
    panels = "".join(panel(samples, index, kind) for index, kind in enumerate(KINDS))
    width = len(KINDS) * (WIDTH + 20)
    findings = [f"{name}: {finding.short}" for name in samples.servers for finding in samples.findings(name)]
    texts = "".join(f'<text x="{10 + index % len(KINDS) * (WIDTH + 20)}" y="{HEIGHT + TOP + 40 + index // len(KINDS) * 16}" '
                    f'fill="{COLORS[finding.split(":")[0]]}">{finding}</text>' for index, finding in enumerate(findings))
    height = HEIGHT + TOP + 80
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">'
            f'<rect width="{width}" height="{height}" fill="#fff"/>'
            f'<text x="10" y="14" font-weight="bold">{requests:,} requests in {samples.seconds / 60:.0f} minutes</text>'
            f"{panels}{texts}</svg>\n")


def panel(samples, index, kind):
    most = max(row[index + 1] for rows in samples.rows.values() for row in rows) * 1.3
    offset = index * (WIDTH + 20)
    wide, high = WIDTH - LEFT, HEIGHT - 10
    lines = []
    for name, rows in samples.rows.items():
        points = " ".join(f"{LEFT + row[0] / samples.seconds * wide:.1f},{TOP + high - row[index + 1] / most * high:.1f}"
                          for row in thinned(rows, 160))
        lines.append(f'<polyline fill="none" stroke="{COLORS[name]}" points="{points}"/>')
    axis = f'<path d="M{LEFT},{TOP}V{TOP + high}H{LEFT + wide}" fill="none" stroke="#888"/>'
    labels = (f'<text x="{LEFT - 4}" y="{TOP + 8}" text-anchor="end">{most:.0f}</text>'
              f'<text x="{LEFT - 4}" y="{TOP + high}" text-anchor="end">0</text>'
              f'<text x="{LEFT + wide}" y="{TOP + high + 14}" text-anchor="end">{samples.seconds / 60:.0f} min</text>'
              f'<text x="{LEFT + 6}" y="{TOP + 8}">{kind}</text>')
    return f'<g transform="translate({offset},0)">{axis}{labels}{"".join(lines)}</g>'
