"""Packs timelines for the page: compressed columns of integers. Times are nanoseconds, starts are
relative to the one before, and -1 means none."""
import base64
import json
import zlib

_CALL = ("chunk", "lane", "stream")
_OPERATION = ("chunk", "lane", "stream", "node", "bytes", "call")


def pack(passes, most):
    """Base64 of the compressed passes: the first `most` operations of each, and their calls."""
    names = {}
    data = {"passes": [_pass(found, names, most) for found in passes]}
    data["names"] = list(names)
    return base64.b64encode(zlib.compress(json.dumps(data, separators=(",", ":")).encode(),
                                          9)).decode()


def _pass(found, names, most):
    operations = found.operations[:most]
    calls = found.calls
    if len(operations) < len(found.operations):
        issued = max((o.call for o in operations if o.call is not None), default=-1)
        calls = calls[:max(issued + 1, most)]
    return {
        "variant": found.variant, "event_us": found.event_us,
        "left_out": len(found.operations) - len(operations),
        "calls": {**_common(calls, names), "row": _places(calls, "row", names),
                  "waits": [int(call.waits) for call in calls],
                  **{key: _column(calls, key) for key in _CALL}},
        "operations": {**_common(operations, names),
                       "activity": _places(operations, "activity", names),
                       "engine": _places(operations, "engine_row", names),
                       "lane_row": _places(operations, "lane_row", names),
                       **{key: _column(operations, key) for key in _OPERATION}},
        "rows": [names.setdefault(row, len(names)) for row in found.rows],
    }


def _common(items, names):
    starts = [round(1000 * item.start) for item in items]
    return {"start": [start - before for start, before in zip(starts, [0, *starts])],
            "duration": [round(1000 * item.duration) for item in items],
            "name": _places(items, "name", names)}


def _places(items, key, names):
    return [names.setdefault(getattr(item, key), len(names)) for item in items]


def _column(items, key):
    return [-1 if getattr(item, key) is None else getattr(item, key) for item in items]
