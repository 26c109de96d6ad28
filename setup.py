"""Install usv_energy as an ament_python package."""

import os
import re
import sys
from pathlib import Path

from setuptools import find_packages, setup

PACKAGE = 'usv_energy'
URL = 'https://a-seed-137ad976.example/usv_energy'
NODES = (
    'state_adapter', 'current_client', 'wind_client', 'power_calculator', 'energy_accumulator',
    'flow_server', 'boat_simulator', 'scenario_driver', 'motion_driver', 'recorder', 'home_watch', 'route_server',
    'acoustic_modem', 'track_player', 'quadcopter_simulator', 'gazebo_quadcopter',
    'gazebo_environment', 'gazebo_pacer', 'gazebo_settler', 'gazebo_thrusters',
)
# colcon puts what lies in bin on PATH; in wheels the console script of that name is there already.
ON_PATH = [] if any(word.endswith('_wheel') for word in sys.argv) else [('bin', ['bin/usv-energy'])]
NOT_FOR_USERS = 'docs', 'learning'   # Not in the extra `all`.
EXTRAS = ('bags', 'flow', 'fast', 'sweep', 'ardupilot', 'px4', 'learning', 'completion', 'ros1', 'docs', 'web')


def shared_files(*folders):
    """Return data_files entries that keep the folders' layout under share/usv_energy."""
    files = [path for folder in folders for path in sorted(Path(folder).rglob('*'))
             if path.is_file() and '__pycache__' not in path.parts]
    return [(f'share/{PACKAGE}/{path.parent}', [str(path)]) for path in files]


def libraries(name):
    """Return the libraries in requirements/<name>.txt, which ./run installs as locked.txt has them."""
    # colcon runs a link to this file in its build folder, where there is no requirements/
    path = Path(__file__).resolve().parent / 'requirements' / f'{name}.txt'
    return [line.strip() for line in path.read_text(encoding='utf-8').splitlines() if line[:1].isalpha()]


def extras():
    """Return the extras; `all` is what users of the commands and the pages may need."""
    found = {name: libraries(name) for name in EXTRAS}
    every = sorted({library for name in EXTRAS if name not in NOT_FOR_USERS for library in found[name]})
    return {'test': ['pytest'], 'all': every, **found}


def readme():
    """Return README.md with its links made absolute, so that they lead somewhere on a package index."""
    path = Path(__file__).resolve().parent / 'README.md'
    text = path.read_text(encoding='utf-8') if path.is_file() else ''
    return re.sub(r'\]\((?!https?:|#)', f']({URL}/blob/main/', text)


def warn_of_missing_messages():
    """Say on a ROS machine that usv_energy_msgs is not built; colcon does not find it inside this package's folder."""
    prefixes = os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep)
    built = any(Path(prefix, 'share', 'usv_energy_msgs').is_dir() for prefix in prefixes)
    if {'develop', 'install'} & set(sys.argv) and any(prefixes) and not built:
        print('usv_energy_msgs is not built, and without it no node starts. In the workspace: '
              'ln -s usv_energy/usv_energy_msgs src/usv_energy_msgs && colcon build', file=sys.stderr)


warn_of_missing_messages()
setup(
    name=PACKAGE,
    version='0.1.0',
    packages=find_packages(include=[PACKAGE, f'{PACKAGE}.*']),
    package_data={PACKAGE: ['py.typed'], f'{PACKAGE}.show.page': ['*.css', 'templates/*.j2'],
                  f'{PACKAGE}.web': ['*.css', '*.js']},
    data_files=[
        ('share/ament_index/resource_index/packages', [f'resource/{PACKAGE}']),
        (f'share/{PACKAGE}', ['package.xml']),
        *ON_PATH,
        *shared_files('launch', 'config', 'models', 'worlds'),
    ],
    install_requires=libraries('core'),
    # colcon test runs pytest only where the extra `test` names it.
    extras_require=extras(),
    python_requires='>=3.10',
    zip_safe=False,
    url=URL,
    author='usv_energy maintainers',
    author_email='maintainers@users.noreply.a-seed-137ad976.example',
    maintainer='usv_energy maintainers',
    maintainer_email='maintainers@users.noreply.a-seed-137ad976.example',
    description='Power and energy of unmanned surface vehicles, split by cause.',
    long_description=readme(),
    long_description_content_type='text/markdown',
    classifiers=[
        'Development Status :: 3 - Alpha', 'Intended Audience :: Science/Research',
        'Operating System :: POSIX :: Linux', 'Programming Language :: Python :: 3.10',
        'Programming Language :: Python :: 3.11', 'Programming Language :: Python :: 3.12',
        'Programming Language :: Python :: 3.13',
        'Topic :: Scientific/Engineering :: Physics', 'Typing :: Typed'],
    license='Apache-2.0',
    entry_points={'console_scripts': [
        'usv-energy = usv_energy.cli.main:main',
        *(f'{name} = usv_energy.start:main' for name in ('compose', *NODES)),
    ]},
)
