"""The samples of a soak, and whether they grow."""
import csv
import dataclasses
import statistics
import time

KINDS = ("resident MiB", "anonymous MiB", "descriptors", "threads")
# The growth over the measured time that isn't a leak: pages of code that run for the first time, SQLite's page caches (2 MB a
# connection), caches of the allocator, pools of connections, threads that come and go.
LIMITS = {"resident MiB": 4.0, "anonymous MiB": 3.0, "descriptors": 8.0, "threads": 8.0}
WARM_UP = 0.2  # the part of the time in which pools and caches fill


@dataclasses.dataclass
class Finding:
    """The growth of one figure after the warm-up."""
    kind: str
    median: float
    hourly: float
    growth: float

    @property
    def is_within(self):
        return self.growth <= LIMITS[self.kind]

    @property
    def text(self):
        return f"{self.kind} {self.median:.1f}, growth {self.growth:+.2f} ({self.hourly:+.2f} an hour), at most {LIMITS[self.kind]:.0f}"

    @property
    def short(self):
        return f"{self.kind} {self.median:.1f}, {self.hourly:+.1f} an hour"

    @property
    def limit_text(self):
        return f"the limit of the growth after the warm-up is {LIMITS[self.kind]:.0f}"


def slope(points):
    """The median of the slopes between all pairs of points (Theil–Sen): single outliers don't change it."""
    slopes = [(y2 - y1) / (x2 - x1) for index, (x1, y1) in enumerate(points) for x2, y2 in points[index + 1:] if x2 > x1]
    return statistics.median(slopes) if slopes else 0.0


def thinned(points, most=300):
    """At most so many of the points, evenly."""
    return points[::max(1, -(-len(points) // most))]


class Samples:
    """Figures of servers at intervals, in a file of CSV, too."""

    def __init__(self, servers, path, seconds, count):
        self.servers, self.path, self.seconds, self.count = servers, path, seconds, count
        self.rows = {name: [] for name in servers}

    def __enter__(self):
        self.file = open(self.path, "w", newline="")
        self.csv = csv.writer(self.file)
        self.csv.writerow(["seconds", "server", *KINDS, "requests"])
        return self

    def __exit__(self, *_):
        self.file.close()

    def run(self):
        """Samples until the time is over or a server has ended."""
        begin = time.monotonic()
        pause = max(0.5, self.seconds / 600)
        while (now := time.monotonic() - begin) < self.seconds:
            for name, server in self.servers.items():
                if server.process.poll() is not None:
                    raise RuntimeError(f"{name} has ended: {server.process.returncode}\n{server.log.read_text()[-2000:]}")
                figures = server.figures()
                self.rows[name].append((now, *figures))
                self.csv.writerow([f"{now:.1f}", name, f"{figures[0]:.2f}", f"{figures[1]:.2f}", *figures[2:], self.count()])
            self.file.flush()
            time.sleep(pause)  # the interval of the measurement

    def findings(self, name):
        """A finding for each figure of a server."""
        rows = [row for row in self.rows[name] if row[0] >= WARM_UP * self.seconds]
        span = rows[-1][0] - rows[0][0]
        for index, kind in enumerate(KINDS, 1):
            points = thinned([(row[0], row[index]) for row in rows])
            rise = slope(points)
            yield Finding(kind, statistics.median(y for _, y in points), rise * 3600, rise * span)
