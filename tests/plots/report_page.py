"""Holds what the tests of the report share: made-up results with literal figures, and a page's
reader."""
import base64
import html.parser
import json
import re
import tempfile
import unittest
import zlib
from pathlib import Path

import synthetic
import synthetic_trace
from browser import PROGRAM, Browser

import report
import trace_file
from page import library

READY = "document.documentElement?.dataset.ready === 'true'"


def made_up(presets=("launch", "transfer"), variants=("serial", "streams", "graph", "pool",
                                                      "engines", "fused"), simulated=""):
    """Results with some literal figures, and their trace."""
    results = synthetic.results(presets, variants, passes=60, simulated=simulated)
    results["context"]["command_line"] = "trilane --trace t.json --json '<r>.json'"
    for comparison in results["comparisons"]:
        by_name = {m["variant"]: m for m in comparison["measurements"]}
        by_name["graph"]["wall"].update(mean=1284.4, median=1284.4, min=1200, q1=1250, q3=1300,
                                        p99=12345.6)
        by_name["graph"]["ratio"] = {"estimate": 0.5, "low": 0.45, "high": 0.55}
        by_name["graph"].update(efficiency=0.873, bound_by="copy out", bound_us=1121.3)
        by_name["pool"]["ratio"] = {"estimate": 0.99, "low": 0.97, "high": 1.0}
        copies = 2 * comparison["workload"]["chunks"]
        by_name["pool"]["plan"]["calls"] = {"cudaMemcpyAsync": copies}
        by_name["pool"]["wall"] = dict.fromkeys(("mean", "min", "q1", "median", "q3", "p99"), 2000.0)
        comparison["limit"] = {"in_gbps": 54.43, "copy_in_us": 154.1, "bound_us": 500.0,
                               "graph_work_us": 7.25, "serial_us": 900.0, "bound_by": "copy out",
                               "best": {"chunks": 12, "bound_us": 430.0},
                               "copies_in": {"start_us": 1.5, "us_per_mib": 19.1},
                               "calls_us": {"cudaMemcpyAsync": 1.25}}
        for name, used, reserved, graph in (("pool", 8 << 10, 32 << 20, None),
                                            ("engines", 28 << 20, 28 << 20, None),
                                            ("graph", 0, 0, 48 << 20), ("fused", 0, 0, 20 << 20)):
            if name in by_name:
                by_name[name]["price"].update(pool_used_high_bytes=used,
                                              pool_reserved_high_bytes=reserved,
                                              **({"graph_reserved_bytes": graph} if graph else {}))
        comparison["advice"] = {"use": "graph", "over": "streams", "device_bytes": 3 << 20,
                                "ratio": by_name["graph"]["ratio"], "limited_by": "copy out",
                                "break_even": by_name["graph"]["break_even"], "next": "fewer bytes"}
    results = synthetic.completed(results, "results")
    return results, synthetic_trace.trace(results)


def page_of(results, trace):
    """The page, and the trace as it was read."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
        file.write(json.dumps(trace))
        file.flush()
        read = trace_file.load(file.name)
    return report.page(results, read, *library.find(), "results.json"), read


class ShownTestCase(unittest.TestCase):
    @classmethod
    def show(cls, results, trace, *size):
        """Makes the page of all tests of the class, and a browser of that size where there is
        Chromium."""
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.file = Path(holder.name) / "report.html"
        cls.page, cls.trace = page_of(results, trace)
        cls.file.write_text(cls.page, encoding="utf-8")
        if PROGRAM:
            cls.browser = Browser(*size)
            cls.addClassCleanup(cls.browser.close)


def unpacked(page):
    """The data of each of the page's timelines."""
    return [json.loads(zlib.decompress(base64.b64decode(packed)))
            for packed in re.findall(r'type="text/plain">([^<]*)', page)]


class Tables(html.parser.HTMLParser):
    """Caption to the rows of every table, cells as texts, and the page's words."""

    def __init__(self, page):
        super().__init__()
        self.tables, self.words, self._into = {}, [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag == "figcaption":
            self._into = [""]
        elif tag == "table":
            self._rows = self.tables.setdefault(self._into[0], [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
            self._into = self._rows[-1]
        elif tag in ("script", "style"):
            self._into = [""]

    def handle_endtag(self, tag):
        if tag in ("table", "script", "style"):
            self._into = None

    def handle_data(self, data):
        if self._into:
            self._into[-1] += data
        else:
            self.words.append(data)
