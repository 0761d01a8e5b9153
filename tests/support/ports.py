"""A port for a process that is told which one to listen on."""

import random
import socket
from typing import Final

# Servers of tests ask for any port (0), and get one of those that Linux gives out, from 32768 on
# (/proc/sys/net/ipv4/ip_local_port_range): one of these may be given away before it is listened on.
PORTS: Final = range(20_000, 32_768)
TRIES: Final = 100


def free_port() -> int:
    """A port on which nobody listens, and that nobody is given who asks for any."""
    for port in random.SystemRandom().sample(PORTS, TRIES):
        with socket.socket() as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                continue
            return port
    raise AssertionError("no port is free")
