"""Makes calls as stacks.cpp does, for commands/cli/record_stacks_test.cpp, with Python's lock
("PyDLL") or without it ("CDLL")."""
import ctypes
import os
import sys

FILL, WAIT = 220, 126  # cuMemsetD32Async, cuStreamSynchronize as CUPTI numbers them


class Memset(ctypes.Structure):
    _fields_ = [("to", ctypes.c_uint64), ("value", ctypes.c_uint), ("count", ctypes.c_size_t),
                ("stream", ctypes.c_void_p)]


class Model:
    def __init__(self, library):
        self.library = library

    def forward(self):
        self.make(FILL, Memset(0x1000, 1, 16, None))  # mark: forward

    def make(self, number, parameters):
        for returns in (0, 1):
            self.library.fake_call(number, ctypes.byref(parameters), returns, 0)  # mark: make


def step(model):
    model.forward()  # mark: step forward
    model.make(WAIT, ctypes.c_void_p())  # mark: step wait


ctypes.CDLL(os.environ["CUDA_INJECTION64_PATH"]).InitializeInjection()
main = Model(getattr(ctypes, sys.argv[1])("libcupti.so.13"))
try:
    raise KeyError("kept")
except KeyError:
    for _ in range(100):
        step(main)
    assert repr(sys.exc_info()[1]) == "KeyError('kept')"
print(*sys.version_info[:2])
