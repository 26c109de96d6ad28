"""Draw the watts of a boat by cause over its speed, with and against a current: power_over_speed.py BOAT [PICTURE]."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import usv_energy

boat = usv_energy.read_boat(sys.argv[1] if len(sys.argv) > 1 else 'blueboat')
speed = np.linspace(0.2, 2.0, 37)                                       # m/s over ground, eastwards
figure, axes = plt.subplots(1, 2, sharey=True, figsize=(9, 4))
for ax, (title, direction) in zip(axes, (('with the current', 0.0), ('against it', 180.0))):
    power = usv_energy.power(boat, u=speed, current=usv_energy.uniform_flow(0.3, direction))
    ax.stackplot(speed, np.broadcast_to(power.static_load, speed.shape), np.maximum(power.damping, 0.0), power.losses,
                 labels=('static load', 'damping', 'losses'))
    ax.set(title=f'0.3 m/s, {title}', xlabel='speed over ground, m/s')
    print(f'{title:>16}: {np.interp(1.0, speed, power.total):6.1f} W at 1 m/s')
axes[0].set_ylabel('power, W')
axes[0].legend(loc='upper left')
figure.savefig(sys.argv[2] if len(sys.argv) > 2 else 'power_over_speed.png')
