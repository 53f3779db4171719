"""The figures of a results file that pages speak of."""
import statistics

import ratios
import results as results_file
from findings.fields import UNKNOWN, field
from findings.words import Missing, interval, number, percent
from input_file import InputError


def load(path):
    """A Run, or Missing."""
    return Run(results_file.load(path), path.name) if path.exists() else Missing()


class Run:
    """Figures of one file. A preset that was compared several times, with several settings, is
    numbered by `which`; so are variants that differ in a setting."""

    def __init__(self, results, name):
        self._results, self._name = results, name

    def _comparison(self, preset, which=0):
        found = [c for c in self._results["comparisons"] if c["workload"]["name"] == preset]
        if which >= len(found):
            raise self._lacks(f"comparison {which + 1} of {preset}")
        return found[which]

    def _measurement(self, preset, variant, which=0):
        for m in self._comparison(preset, which)["measurements"]:
            if m["variant"] == variant:
                return m
        raise self._lacks(f"{variant} on {preset}")

    def _figure(self, preset, variant, *keys, which=0):
        """Returns what a variant's record has under those keys, one within the other."""
        return self._at(self._measurement(preset, variant, which), f"{variant} on {preset}", *keys)

    def _at(self, record, owner, *keys):
        for key in keys:
            if key not in record:
                raise self._lacks(f"{key} of {owner}")
            record = record[key]
        return record

    def _lacks(self, what):
        return InputError(f"{self._name!r} lacks {what}: write it again with remake.sh, or change "
                          "the sentences in plots/findings")

    def _wall(self, preset, variant, which=0):
        return self._figure(preset, variant, "wall", "mean", which=which)

    def _ratio(self, preset, variant):
        return self._figure(preset, variant, "ratio")

    def _speed(self, preset, variant):
        return ratios.speed(self._ratio(preset, variant))

    def machine(self):
        name, driver, cuda = (self._at(self._results["context"]["gpu"], "the GPU", key) for key in
                              ("name", "driver_version", "cuda_runtime_version"))
        return field(f"{name}, driver {driver}, CUDA {cuda}")

    def wall(self, preset, variant):
        return field(number(self._wall(preset, variant)))

    def submit(self, preset, variant):
        return field(number(self._figure(preset, variant, "submit", "mean")))

    def submit_share(self, preset, variant):
        return percent(self._figure(preset, variant, "submit", "mean")
                       / self._wall(preset, variant))

    def calls(self, preset, variant):
        return field(sum(self._figure(preset, variant, "plan", "calls").values()))

    def nodes(self, preset, variant, kind):
        return field(self._figure(preset, variant, "plan", "nodes", f"{kind} nodes"))

    def speed(self, preset, variant):
        """Returns how many times as fast as the reference, with its interval."""
        speed = self._speed(preset, variant)
        return interval(speed, *(ratios.bounds(self._ratio(preset, variant)) or (speed, speed)))

    def speed_alone(self, preset, variant):
        """Returns how many times as fast as the reference, without its interval."""
        return field(number(self._speed(preset, variant)))

    def times_as_long(self, preset, variant):
        return field(number(1 / self._speed(preset, variant)))

    def over_limit(self, preset, variant):
        limit = self._at(self._comparison(preset), preset, "limit", "bound_us")
        return percent(self._wall(preset, variant) / limit - 1)

    def bound_cells(self, preset, variant):
        """Cells of a table: the variant's bound, its efficiency, and what sets the bound."""
        bound, share, by = (self._figure(preset, variant, key)
                            for key in ("bound_us", "efficiency", "bound_by"))
        return field(number(bound)), percent(share, digits=1), field(by)

    def break_even(self, preset, variant, proven=False):
        found = self._measurement(preset, variant).get("break_even", {})
        found = found.get("crossing", {}) if proven else found
        if not {"passes", "low", "high"} <= found.keys():
            return field("no number of")
        return interval(found["passes"], found["low"], found["high"])

    def setting_cells(self, presets, place):
        """Cells of a table: the wall times of the variant at that place among a setting's, and its
        memory on the first preset."""
        found = [self._comparison(preset)["measurements"][place:place + 1] for preset in presets]
        if not all(m and m[0]["status"] == "ok" and "price" in m[0] for m in found):
            return [field(UNKNOWN)] * (len(presets) + 1)
        memory = statistics.median(found[0][0]["price"]["device_bytes"])
        return [*(field(number(m["wall"]["mean"])) for m, in found),
                field(results_file.size_text(memory))]

    def apart(self, preset, variant, which):
        """Returns how many times as long it takes with that setting as with the first one."""
        return field(number(self._wall(preset, variant, which) / self._wall(preset, variant)))

    def speed_since(self, older, preset, variant):
        """Returns how many times as fast it is as in the older run, by means."""
        return field(number(older._wall(preset, variant) / self._wall(preset, variant)))

    def overlap(self, preset, variant, of, other):
        """The share of the time of one kind of operation with another on another lane."""
        shares = {(pair["of"], pair["with"]): pair["share"] for pair in
                  self._figure(preset, variant, "timeline", "overlap")}
        if (of, other) not in shares:
            raise self._lacks(f"overlap of {of} with {other} of {variant} on {preset}")
        return percent(shares[of, other])

    def tracing_adds(self, preset, variant):
        traced, untraced = (statistics.median(self._figure(preset, variant, "timeline", key) or [0])
                            for key in ("event_us", "untraced_us"))
        return percent(traced / untraced - 1) if untraced > 0 else field(UNKNOWN)

    def held_truth(self):
        """Returns how many intervals of a variant against itself have 1, and how many there are."""
        found = [m["ratio"] for c in self._results["comparisons"] for m in c["measurements"]
                 if "ratio" in m]
        return field(f"{sum(r['low'] <= 1 <= r['high'] for r in found)} of {len(found)}")

    def is_faster(self, preset, variant):
        return self._ratio(preset, variant)["high"] < 1

    def is_slower(self, preset, variant):
        return self._ratio(preset, variant)["low"] > 1

    def ties(self, preset, variant):
        return not self.is_faster(preset, variant) and not self.is_slower(preset, variant)

    def is_in_order(self, preset, *variants):
        """By means, the fastest first."""
        walls = [self._wall(preset, variant) for variant in variants]
        return walls == sorted(walls)

    def fastest(self, preset):
        """The name of the variant with the shortest mean."""
        measured = [m for m in self._comparison(preset)["measurements"] if m["status"] == "ok"]
        if not measured:
            raise self._lacks(f"times of {preset}")
        return min(measured, key=lambda m: m["wall"]["mean"])["variant"]

    def is_within(self, share, preset, variants):
        """Each of the variants is within that share of the reference."""
        return all(abs(self._speed(preset, variant) - 1) < share for variant in variants)
