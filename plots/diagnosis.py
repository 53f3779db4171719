"""Reads the diagnosis of a recorded application: where the time of one iteration goes."""
import input_file
import schema

KIND = input_file.Kind("trilane diagnosis", (1,), "diagnosis", "trilane diagnose --json",
                       schema.printed("diagnosis"))


def load(path):
    """The checked diagnosis in the file at `path`; raises InputError."""
    return input_file.load(path, KIND)


def simulated(found):
    """Returns true if the application ran on the simulated device."""
    return found.get("simulated") is True


def own_code_us(found):
    """The time of an iteration in which the application's own code runs on the host."""
    return sum(use["us"] for use in found["host"] if use["use"] == "own code")
