"""
Power and energy for any odometry: of a real boat, of Gazebo, of a bag.

ros2 launch usv_energy energy.launch.py boat:=wamv odom:=/wamv/odom current_mode:=global current_speed:=0.4
"""

from typing import Any

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument

from usv_energy.ros.launch_arguments import Arguments, description_of, shared


def _flow_arguments(medium: str, name: str) -> list[DeclareLaunchArgument]:
    return [
        DeclareLaunchArgument(f'{medium}_mode', default_value='none', choices=['none', 'global', 'local'],
                              description=f'{name}: none, global (the same everywhere) or local (asked of a service, '
                                          f'{medium}_client)'),
        DeclareLaunchArgument(f'{medium}_speed', default_value='0.0', description=f'{name}, mode global: m/s'),
        DeclareLaunchArgument(f'{medium}_direction_deg', default_value='0.0',
                              description=f'{name}, mode global: where it flows to, degrees counter-clockwise from '
                                          'east'),
        DeclareLaunchArgument(f'{medium}_global_source', default_value='parameter', choices=['parameter', 'topic'],
                              description=f'{name}, mode global: from the two arguments above, or from a topic'),
    ]


ARGUMENTS = [
    *shared('namespace'),
    DeclareLaunchArgument('boat', default_value='',
                          description='A name in config/boats, or the path of a YAML file; must be given'),
    DeclareLaunchArgument('convention', default_value='rep103', choices=['rep103', 'as_published'],
                          description="Of the power model: right, or with the thesis's signs"),
    DeclareLaunchArgument('odom', default_value='odom', description='Topic of the odometry, like /wamv/odom'),
    DeclareLaunchArgument('odom_reliability', default_value='auto', choices=['auto', 'reliable', 'best_effort'],
                          description='Of the subscription to it; auto: best effort where a publisher is'),
    DeclareLaunchArgument('axes', default_value='enu', choices=['enu', 'ned'],
                          description='Of the odometry: earth ENU and body FLU, or NED and FRD'),
    DeclareLaunchArgument('twist_frame', default_value='body', choices=['body', 'world'],
                          description="Frame of the odometry's twist"),
    DeclareLaunchArgument('lag', default_value='1.0',
                          description='Of the estimate of the motion, s: states come so much later, without the noise '
                                      'of the odometry; 0 for exact odometry of a simulator'),
    DeclareLaunchArgument('acceleration_time_constant', default_value='0.0',
                          description='With lag:=0, of the low-pass on the acceleration, s'),
    *_flow_arguments('current', 'Water current'),
    *_flow_arguments('wind', 'Wind'),
    DeclareLaunchArgument('wind_height', default_value='0.0',
                          description='Wind, mode global: height above water at which it holds, m (10: of forecasts); '
                                      '0: at the boat'),
    DeclareLaunchArgument('homes', default_value='',
                          description='Places to go back to, earth frame, m, like pier:0,0;12,-3: home_margin and '
                                      'return_home are told; empty: they are not'),
    DeclareLaunchArgument('sea', default_value='',
                          description='Waves that the boat is in, HS,TP,TOWARDS: m, s, degrees counter-clockwise from '
                                      'east; or a flow file with waves; empty: no sea is known'),
    DeclareLaunchArgument('wave_estimate', default_value='', choices=['', 'stawave-1'],
                          description='With a sea, of a boat whose file has no waves: stawave-1 is made for ships'),
    *shared('composed', 'autostart'),
    DeclareLaunchArgument('record', default_value='false', description='Write a table of all samples, and a bag'),
    DeclareLaunchArgument('out', default_value='', description='Folder for that; empty: results/<boat>-energy-<time>'),
    *shared('respawn', 'params_file', 'use_sim_time', 'log_level'),
]
OF_FLOWS = [f'{medium}_{name}' for medium in ('current', 'wind')
            for name in ('mode', 'speed', 'direction_deg', 'global_source')] + ['wind_height']


def _graph(arguments: Arguments) -> list[Any]:
    from usv_energy.ros.launching import graph_processes, watched
    return watched(graph_processes([
        'energy', f'--out={arguments.out("energy")}',
        *arguments.options(['boat', 'convention', 'odom', 'odom_reliability', 'axes', 'twist_frame', 'lag',
                            'acceleration_time_constant', 'homes', 'sea', 'wave_estimate', *OF_FLOWS], ['autostart'])],
        arguments, arguments['namespace'], arguments.flag('respawn')))


def generate_launch_description() -> LaunchDescription:
    return description_of(ARGUMENTS, __file__, _graph)
