"""The one way to stop: SIGINT, SIGTERM or SIGHUP ends a script with 130, as it ends the program. It
says so in a line. To be imported before matplotlib, whose import takes a second."""
import atexit
import contextlib
import os
import signal
import sys

from plain_text import plain

CODE = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _stop(*_):
    for number in SIGNALS:
        signal.signal(number, _end)
    sys.unraisablehook = _end
    name = plain(os.path.basename(sys.argv[0]))
    with contextlib.suppress(OSError):  # not by print, which the signal may have interrupted
        os.write(2, f"{name}: stopped\n".encode())
    raise SystemExit(CODE)


def _end(*_):
    """Ends the script at once: on a second signal, or where Python drops the exception. It does so
    in destructors and in callbacks of weak references, of which every import makes some."""
    atexit._run_exitfuncs()
    os._exit(CODE)


for number in SIGNALS:
    if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks for
        signal.signal(number, _stop)
signal.pthread_sigmask(signal.SIG_UNBLOCK, SIGNALS)  # trilane report holds them back until here
# Python removes the handlers before it has ended, when everything is written and printed.
atexit.register(signal.pthread_sigmask, signal.SIG_BLOCK, SIGNALS)
