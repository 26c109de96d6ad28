"""
An autopilot that sends by its own clock, 50 frames a second, whether it is answered or not: HOST PORT.

Of each number on stdin it sends so many frames, and prints how many it sent in all, and how many of them had answers.
"""

import json
import socket
import struct
import sys
import time

PERIOD = 0.02


def main(host, port):
    link, sent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), 0
    link.settimeout(PERIOD)
    for line in sys.stdin:
        answers = 0
        for _ in range(int(line)):
            sent, until = sent + 1, time.monotonic() + PERIOD
            try:
                link.sendto(struct.pack('<HHI16H', 18458, 50, sent - 1, 1700, 0, 1700, *[0] * 13), (host, int(port)))
                link.recv(4096)
                answers += 1
            except OSError:  # No answer within a period, or no way there.
                pass
            time.sleep(max(0.0, until - time.monotonic()))
        print(json.dumps({'sent': sent, 'answers': answers}), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
