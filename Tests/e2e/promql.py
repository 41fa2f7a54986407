"""The selectors of PromQL queries, and a Prometheus that scrapes servers of a test."""
import json
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from harness import PATIENCE, eventually, free_port

STRING = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\''
# Words of the language that aren't followed by a parenthesis.
WORDS = {"and", "or", "unless", "bool", "offset", "atan2", "inf", "nan"}
GROUPING = r"\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)"
SELECTOR = re.compile(rf'([A-Za-z_:][\w:]*)\s*(?:\{{((?:{STRING}|[^}}])*)\}})?(?!\s*\()(?![\w:])')


def selectors(query):
    """The metrics of a query, each with the labels that its matchers name."""
    text = re.sub(GROUPING, " ", query)
    text = re.sub(r"\[[^\]]*\]", " ", text)
    found = []
    for match in SELECTOR.finditer(text):
        name, matchers = match[1], match[2] or ""
        # A number's exponent or unit, as in 5m, begins with a digit.
        if name.lower() in WORDS or (match.start() and text[match.start() - 1].isalnum()):
            continue
        labels = re.findall(r"([A-Za-z_]\w*)\s*(?:=~|!~|!=|=)", re.sub(STRING, '""', matchers))
        found.append((name, labels))
    return found


def groupings(query):
    """The labels that a query's aggregations and joins name."""
    return [label.strip() for group in re.findall(GROUPING, re.sub(STRING, '""', query)) for label in group.split(",") if label.strip()]


class Prometheus:
    """Debian's Prometheus with a configuration of the project, which scrapes other ports at a shorter interval."""

    def __init__(self, folder, configuration, ports):
        self.folder, self.port, self.process = folder, free_port(), None
        text = configuration.read_text()
        text = re.sub(r"(scrape|evaluation)_interval: \w+", r"\1_interval: 1s", text)
        targets = ", ".join(f"127.0.0.1:{port}" for port in ports)
        text, count = re.subn(r"targets: \[.*\]", f"targets: [{targets}]", text)
        if count != 1:
            raise RuntimeError(f"{configuration} has {count} lists of targets")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "prometheus.yml").write_text(text)
        for rules in configuration.parent.glob("alerts.yaml"):
            (folder / rules.name).write_text(rules.read_text())

    def __enter__(self):
        self.log = open(self.folder / "log", "wb")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={self.folder}/prometheus.yml", f"--storage.tsdb.path={self.folder}/data",
             f"--web.listen-address=127.0.0.1:{self.port}", "--log.level=warn"],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def get(self, path, **parameters):
        """The data of the API's response; None while Prometheus starts. Raises ValueError with an error's text."""
        url = f"http://127.0.0.1:{self.port}/api/v1/{path}?{urllib.parse.urlencode(parameters, doseq=True)}"
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            if error.code == 503:
                return None
            raise ValueError(error.read().decode()) from None
        except OSError:
            return None

    def query(self, text):
        """The samples of an instant query."""
        data = self.get("query", query=text)
        return data["result"] if data else None

    def wait_for(self, query, seconds=PATIENCE):
        """Waits until a query has a sample."""
        return eventually(lambda: self.query(query), seconds)

    def unknown(self, query):
        """The metrics of a query that no server exports, and the labels that none of its metrics have."""
        missing, known = [], set()
        for name, labels in selectors(query):
            series = self.get("series", **{"match[]": name}) or []
            if not series:
                missing.append(name)
            own = {label for one in series for label in one}
            known |= own
            missing += [f"{name}{{{label}}}" for label in labels if series and label not in own]
        return missing + [f"by ({label})" for label in groupings(query) if label not in known]
