"""Execute the property once: ask the server, append bytes and exit code to the log, and answer the reducer.

Arguments: the socket, the log, ``fails`` or ``interesting`` for the meaning of exit code 0, and the candidate. A line
is appended in one write, so that those of parallel executions do not mix. This file imports little: it starts for
every execution.
"""

import os
import socket
import sys

UNRESOLVED = 125


def size_of(path: str) -> int:
    if not os.path.isdir(path):
        return os.path.getsize(path)
    return sum(os.path.getsize(os.path.join(top, name)) for top, _, names in os.walk(path) for name in names)


def main() -> int:
    address, log, convention, name = sys.argv[1:]
    path = os.path.abspath(name)
    size = size_of(path) if os.path.exists(path) else -1
    with socket.socket(socket.AF_UNIX) as server:
        server.connect(address)
        server.sendall(path.encode() + b"\n")
        code = int(server.makefile().readline() or UNRESOLVED)
    line = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(line, b"%d %d\n" % (size, code))
    if convention == "fails":
        return code
    return int(code in (0, UNRESOLVED))


if __name__ == "__main__":
    sys.exit(main())
