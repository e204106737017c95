"""The program ``rootward``, also ``python -m rootward``. It handles Ctrl-C from the first import on."""

import signal
import sys


def main() -> None:
    """Run the command line. Always raises SystemExit."""
    try:
        from rootward.lab.interrupts import raise_interrupt, resend_lost_interrupt

        sys.unraisablehook = resend_lost_interrupt
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored: a background job
            signal.signal(signal.SIGINT, raise_interrupt)
        from rootward.cli import main as command_line

        command_line()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
