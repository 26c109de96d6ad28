"""
A network that fails: it hands packets on to a boat and back, later, and loses some. The kernel need not know netem.

PORT HOST:PORT DELAY LOSS SEED: listens at 127.0.0.1, delay in s, loss a share of packets each way. At the end (SIGTERM)
it prints how many it lost on the way there and on the way back.
"""

import heapq
import itertools
import json
import random
import selectors
import signal
import socket
import sys
import time


def main(port, boat, delay, loss, seed):
    host, _, boat_port = boat.partition(':')
    near, far = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
    near.bind(('127.0.0.1', int(port)))
    far.connect((host, int(boat_port)))
    selector, chance, lost, order = selectors.DefaultSelector(), random.Random(int(seed)), [0, 0], itertools.count()
    for link in (near, far):
        link.setblocking(False)
        selector.register(link, selectors.EVENT_READ)
    waiting, pilot, ended = [], None, []
    signal.signal(signal.SIGTERM, lambda *_: ended.append(True))
    print('ready', near.getsockname()[1], flush=True)
    while not ended:
        for key, _ in selector.select(max(0.0, min(0.05, waiting[0][0] - time.monotonic() if waiting else 0.05))):
            try:
                packet, sender = key.fileobj.recvfrom(4096)
            except OSError:  # Nobody listens there yet, or the cable is out.
                continue
            there = key.fileobj is near
            pilot = sender if there else pilot
            if chance.random() < float(loss):
                lost[not there] += 1
            else:
                heapq.heappush(waiting, (time.monotonic() + float(delay), next(order), there, packet))
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, there, packet = heapq.heappop(waiting)
            try:
                far.send(packet) if there else near.sendto(packet, pilot)
            except OSError:
                lost[not there] += 1
    print(json.dumps({'there': lost[0], 'back': lost[1]}), flush=True)


if __name__ == '__main__':
    main(*sys.argv[1:])
