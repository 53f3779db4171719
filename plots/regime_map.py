"""Puts sweeps into words."""
import results as results_file


def value(axis, number):
    """"64 KiB", "16", "40 µs": a value of that axis."""
    if axis["unit"] == "us":
        return f"{number:g} µs" if number < 1000 else f"{number / 1000:g} ms"
    return results_file.size_text(number) if axis["unit"] == "bytes" else f"{number:g}"


def caption(axis):
    """"chunk size (bytes)"."""
    units = {"bytes": " (bytes)", "us": " (time of one kernel)"}
    return axis["knob"].replace("-", " ") + units.get(axis["unit"], " (number)")


def winners(found):
    """The variants that win a cell, in the order of the file."""
    won = {cell["winner"] for cell in found["cells"] if cell["status"] == "ok"}
    return [variant for variant in found["variants"] if variant in won]


def gain(cell):
    """The winner's speed over the runner-up; 1 if it ran alone."""
    return cell.get("over_runner_up", {}).get("estimate", 1.0)


def machine(found):
    """"NVIDIA H200 · latency mode"."""
    return f"{results_file.gpu(found['context'])} · {found['mode']} mode"
