#!/usr/bin/env python3
"""Holds a GPU's memory, all but some, for a while, gives it back for a while, and so on.

Usage: hoarder.py LEAVE-MIB [HOLD-MS FREE-MS]
Without times it holds the memory until it is killed. It says "holds" once it does. Uses the driver
alone, in the primary context of device 0.
"""
import ctypes
import sys
import time

MIB = 1 << 20
GRAIN = 64 * MIB


class Driver:
    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        error = getattr(self.library, name)(*arguments)
        if error:
            raise OSError(f"{name}: error {error}")

    def free_bytes(self):
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
        return free.value

    def allocate(self, size):
        memory = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(size))
        return memory

    def release(self, memory):
        self.call("cuMemFree_v2", memory)


def fill(driver, leave):
    """Memory, piece by piece, until no more than that is left."""
    held = []
    size = max(GRAIN, driver.free_bytes() - leave - GRAIN)
    while size >= MIB and driver.free_bytes() > leave + size:
        try:
            held.append(driver.allocate(size))
        except OSError:
            pass
        size = min(size // 2, max(MIB, driver.free_bytes() - leave))
    return held


def main():
    leave, hold_ms, free_ms = [*map(float, sys.argv[1:]), 0, 0][:3]
    driver = Driver()
    while True:
        held = fill(driver, int(leave * MIB))
        print("holds", flush=True)
        time.sleep(hold_ms / 1e3 or 1e6)
        for memory in held:
            driver.release(memory)
        time.sleep(free_ms / 1e3)


if __name__ == "__main__":
    main()
