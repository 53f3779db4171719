"""The figures of a results file that pages speak of."""
import statistics

import ratios
import results as results_file
from findings.fields import UNKNOWN, field
from findings.words import Missing, interval, number, percent


def load(path):
    """A Run, or Missing."""
    return Run(results_file.load(path)) if path.exists() else Missing()


class Run:
    """Figures of one file. A preset that was compared several times, with several settings, is
    numbered by `which`; so are variants that differ in a setting."""

    def __init__(self, results):
        self._results = results

    def _comparison(self, preset, which=0):
        return [c for c in self._results["comparisons"]
                if c["workload"]["name"] == preset][which]

    def _measurement(self, preset, variant, which=0):
        measurements = self._comparison(preset, which)["measurements"]
        return next(m for m in measurements if m["variant"] == variant)

    def _wall(self, preset, variant, which=0):
        return self._measurement(preset, variant, which)["wall"]["median"]

    def _speed(self, preset, variant):
        return ratios.speed(self._measurement(preset, variant)["ratio"])

    def machine(self):
        gpu = self._results["context"]["gpu"]
        return field(f"{gpu['name']}, driver {gpu['driver_version']}, "
                     f"CUDA {gpu['cuda_runtime_version']}")

    def wall(self, preset, variant):
        return field(number(self._wall(preset, variant)))

    def submit(self, preset, variant):
        return field(number(self._measurement(preset, variant)["submit"]["median"]))

    def submit_share(self, preset, variant):
        return percent(self._measurement(preset, variant)["submit"]["median"]
                       / self._wall(preset, variant))

    def calls(self, preset, variant):
        return field(int(sum(self._measurement(preset, variant)["plan"]["calls"].values())))

    def nodes(self, preset, variant, kind):
        return field(int(self._measurement(preset, variant)["plan"]["nodes"][f"{kind} nodes"]))

    def speed(self, preset, variant):
        """How many times as fast as the reference, with its interval."""
        bounds = ratios.bounds(self._measurement(preset, variant)["ratio"])
        return interval(self._speed(preset, variant), *bounds)

    def gain(self, preset, variant):
        return percent(self._speed(preset, variant) - 1)

    def longer(self, preset, variant):
        return percent(1 / self._speed(preset, variant) - 1)

    def times_as_long(self, preset, variant):
        return field(number(1 / self._speed(preset, variant)))

    def over_limit(self, preset, variant):
        limit = self._comparison(preset)["limit"]["bound_us"]
        return percent(self._wall(preset, variant) / limit - 1)

    def bound_cells(self, preset, variant):
        """Cells of a table: the variant's bound, its efficiency, and what sets the bound."""
        m = self._measurement(preset, variant)
        return (field(number(m["bound_us"])), percent(m["efficiency"], digits=1),
                field(m["bound_by"]))

    def break_even(self, preset, variant, proven=False):
        found = self._measurement(preset, variant)["break_even"]
        found = found.get("crossing", {}) if proven else found
        if "passes" not in found:
            return field("no number of")
        return interval(found["passes"], found["low"], found["high"])

    def setting_cells(self, presets, place):
        """Cells of a table: the wall times of the variant at that place among a setting's, and its
        memory on the first preset."""
        found = [self._comparison(preset)["measurements"][place:place + 1] for preset in presets]
        if not all(found):
            return [field(UNKNOWN)] * (len(presets) + 1)
        memory = statistics.median(found[0][0]["price"]["device_bytes"])
        return [*(field(number(m["wall"]["median"])) for m, in found),
                field(results_file.size_text(memory))]

    def apart(self, preset, variant, which):
        """How many times as long it takes with that setting as with the first one."""
        return field(number(self._wall(preset, variant, which) / self._wall(preset, variant)))

    def speed_since(self, older, preset, variant):
        """How many times as fast it is as in the older run, by medians."""
        return field(number(older._wall(preset, variant) / self._wall(preset, variant)))

    def overlap(self, preset, variant, of, other):
        """The share of the time of one kind of operation with another on another lane."""
        timeline = self._measurement(preset, variant)["timeline"]
        return percent(next(pair["share"] for pair in timeline["overlap"]
                            if (pair["of"], pair["with"]) == (of, other)))

    def tracing_adds(self, preset, variant):
        timeline = self._measurement(preset, variant)["timeline"]
        return percent(statistics.median(timeline["event_us"])
                       / statistics.median(timeline["untraced_us"]) - 1)

    def held_truth(self):
        """How many intervals of a variant against itself have 1, and how many there are."""
        found = [m["ratio"] for c in self._results["comparisons"] for m in c["measurements"]
                 if "ratio" in m]
        return field(f"{sum(r['low'] <= 1 <= r['high'] for r in found)} of {len(found)}")

    def is_faster(self, preset, variant):
        return self._measurement(preset, variant)["ratio"]["high"] < 1

    def is_slower(self, preset, variant):
        return self._measurement(preset, variant)["ratio"]["low"] > 1

    def is_in_order(self, preset, *variants):
        """By medians, the fastest first."""
        walls = [self._wall(preset, variant) for variant in variants]
        return walls == sorted(walls)

    def fastest(self, preset):
        """The name of the variant with the shortest median."""
        measured = [m for m in self._comparison(preset)["measurements"] if m["status"] == "ok"]
        return min(measured, key=lambda m: m["wall"]["median"])["variant"]

    def is_within(self, share, preset, variants):
        """Each of the variants is within that share of the reference."""
        return all(abs(self._speed(preset, variant) - 1) < share for variant in variants)
