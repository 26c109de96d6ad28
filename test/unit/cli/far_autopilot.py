"""
An autopilot's side of the protocol on a host of its own: PORT FRAMES RESEND, to 127.0.0.1.

As ArduPilot's does it waits for the answer to each frame, and sends the same one again after RESEND s; its time is that
of the answers. It prints the last answer, and how often it sent a frame again.
"""

import json
import socket
import struct
import sys


def main(port, frames, resend):
    link = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    link.settimeout(float(resend))
    time, again, answer = 0.0, 0, {}
    for count in range(int(frames)):
        left, right = 1500 + count % 400, 1900 - count % 300
        packet = struct.pack('<HHI16H', 18458, 50, count, left, 0, right, *[0] * 13)
        link.sendto(packet, ('127.0.0.1', int(port)))
        while True:
            try:
                answer = json.loads(link.recv(4096))
                if answer['timestamp'] > time:
                    break
            except TimeoutError:
                again += 1
                link.sendto(packet, ('127.0.0.1', int(port)))
        time = answer['timestamp']
    print(json.dumps({'again': again, 'answer': answer}), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
