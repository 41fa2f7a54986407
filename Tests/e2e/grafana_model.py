"""Reads a dashboard with Grafana's own model of it, and prints each member that the model doesn't have.

    .build/venv/bin/python Tests/e2e/grafana_model.py DASHBOARD
"""
import json
import sys

from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard


def lost(own, read, place=""):
    """The places of members that differ in the dashboard that was read."""
    if isinstance(own, dict) and isinstance(read, dict):
        for name, value in own.items():
            yield from lost(value, read[name], f"{place}/{name}") if name in read else [f"{place}/{name}"]
    elif isinstance(own, list) and isinstance(read, list) and len(own) == len(read):
        for index, (one, other) in enumerate(zip(own, read)):
            yield from lost(one, other, f"{place}/{index}")
    elif own != read:
        yield place


plugins.register_default_plugins()
with open(sys.argv[1], encoding="utf-8") as file:
    dashboard = json.load(file)
encoder = JSONEncoder(sort_keys=True)
print(*lost(dashboard, json.loads(encoder.encode(Dashboard.from_json(dashboard)))), sep="\n")
