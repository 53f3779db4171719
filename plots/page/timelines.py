"""Timelines that can be zoomed: their data, and what stands around them."""
from page import packing
from page.markup import Raw, details, tag

_BUTTONS = (("out", "−", "zoom out"), ("in", "+", "zoom in"), ("left", "←", "earlier"),
            ("right", "→", "later"), ("chunks", "first chunks", "the first chunks"),
            ("all", "whole pass", "the whole pass"))
_RECORDED = (*_BUTTONS[:4], ("all", "whole iteration", "the whole iteration"))
_KEYS = ("Keys: + and − zoom, ← and → move, 0 shows the whole {}, Shift with an arrow selects "
         "the next call or operation, Esc deselects.")
_ACTIVITIES = ("host call", "host waits", "copy in", "memset", "kernel", "copy out")
_VIEWS = ("engines", "lanes", "both")


def of_comparison(comparison, passes, first, simulated, most):
    """Returns the timelines of a comparison's passes; the variants in `first` are shown at once.
    `most`: operations per pass."""
    boxes = [tag("label", _box(p, p.variant in first), p.variant) for p in passes]
    return _timeline(
        f"Timelines of {comparison['name']}{simulated}", "pass",
        tag("p", "The traced pass with the median time of each variant, on one "
                 f"axis{simulated}. Beside the name: the time between the events around it. "
                 "0: the host begins to submit. Left out: two marker memsets around the "
                 "pass, and waiting for the second one."),
        details("Variants", tag("fieldset", tag("legend", "Variants to show"), *boxes,
                                class_="variants")),
        _controls(comparison["place"], dict(zip(_VIEWS, _VIEWS)), "engines", _BUTTONS),
        packing.pack(passes, most))


def of_recording(trace, most):
    """That of an application's iteration, by its streams at first."""
    simulated = ", simulated" if trace.simulated else ""
    return _timeline(
        f"Timeline of an iteration{simulated}", "iteration",
        tag("p", f"An iteration as it was recorded{simulated}. Beside the name: how long an "
                 "iteration takes, the median of all. 0: its first call begins. Times on the GPU "
                 "are from a few repetitions, which recording them may have slowed down."),
        tag("div", *(_box(p, True) for p in trace.passes), hidden=True),
        _controls("recorded", {"engines": "engines", "lanes": "streams", "both": "both"}, "lanes",
                  _RECORDED),
        packing.pack(trace.passes, most))


def _box(found, shown):
    return tag("input", type="checkbox", value=found.variant, checked=shown or None)


def _controls(place, views, first, buttons):
    choices = [tag("label", tag("input", type="radio", name=f"rows-{place}", value=view,
                                checked=view == first or None), name)
               for view, name in views.items()]
    return tag("div", tag("fieldset", tag("legend", "Rows"), *choices),
               tag("div", *(tag("button", sign, type="button", data_do=do, aria_label=words,
                                title=words) for do, sign, words in buttons), class_="buttons"),
               tag("output", class_="range"), class_="controls")


def _timeline(label, unit, explanation, variants, controls, packed):
    keys = [tag("li", tag("i", data_fill=activity), activity) for activity in _ACTIVITIES]
    return tag(
        "div", explanation, variants, controls,
        tag("ul", *keys, class_="legend"),
        tag("div", tag("div", class_="axis"),
            tag("canvas", tabindex=0, role="application",
                aria_label=f"{label}. {_KEYS.format(unit)}"),
            tag("div", class_="tip", hidden=True), class_="stage"),
        tag("p", class_="spoken", aria_live="polite"),
        tag("p", "Drag to move, pinch to zoom; the wheel zooms after a click, or with Ctrl. "
            f"{_KEYS.format(unit)}", class_="hint"),
        tag("script", Raw(packed), type="text/plain"),
        class_="timeline")
