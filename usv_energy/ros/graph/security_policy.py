"""
The policy of SROS 2 for the nodes of a running graph: what each may publish, subscribe to, offer and call.

As `ros2 security generate_policy` would write it, but of these nodes only, and without what they do not use now. Run it
beside a graph: python3 -m usv_energy.ros.graph.security_policy /boat > policy.xml.
"""

import sys
import time
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from rclpy.node import Node

from usv_energy.files.errors import InputError
from usv_energy.ros.framework.process import ros_process

VERSION = '0.2.0'   # Of the schema of policies in sros2.
DISCOVERY_TIME = 3.0    # s of wall time in which the graph is found.
# What access a list of names gives, by the method of a node that returns it.
ACCESS = (('topics', 'topic', 'publish', 'get_publisher_names_and_types_by_node'),
          ('topics', 'topic', 'subscribe', 'get_subscriber_names_and_types_by_node'),
          ('services', 'service', 'reply', 'get_service_names_and_types_by_node'),
          ('services', 'service', 'request', 'get_client_names_and_types_by_node'))


def policy_text(observer: Node, nodes: Iterable[tuple[str, str]]) -> str:
    """
    Return the policy for nodes that run now, an enclave for each, as XML.

    :param observer: A node that sees their graph.
    :param nodes: Name and namespace of each.
    :raises InputError: If there is none.
    """
    policy = ElementTree.Element('policy', version=VERSION)
    enclaves = ElementTree.SubElement(policy, 'enclaves')
    for name, namespace in sorted(set(nodes)):
        enclave = ElementTree.SubElement(enclaves, 'enclave', path=f'{namespace.rstrip("/")}/{name}')
        profiles = ElementTree.SubElement(enclave, 'profiles')
        profile = ElementTree.SubElement(profiles, 'profile', ns=namespace, node=name)
        for kind, one, access, method in ACCESS:
            found = [topic for topic, _ in getattr(observer, method)(name, namespace)]
            _add(profile, kind, one, access, found, namespace)
    if not len(enclaves):
        raise InputError('no node of this graph runs; start it before, in the same domain')
    ElementTree.indent(policy)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(policy, encoding="unicode")}\n'


def _add(profile: ElementTree.Element, kind: str, one: str, access: str, names: Sequence[str], namespace: str) -> None:
    if not names:
        return
    group = ElementTree.SubElement(profile, kind, {access: 'ALLOW'})
    for name in sorted(set(names)):
        inside = name.startswith(f'{namespace.rstrip("/")}/')
        ElementTree.SubElement(group, one).text = name[len(namespace.rstrip('/')) + 1:] if inside else name


def main(arguments: Sequence[str]) -> int:
    """Print the policy of the nodes in a namespace, and return the exit status."""
    if len(arguments) != 1 or not arguments[0].startswith('/'):
        print('usage: python3 -m usv_energy.ros.graph.security_policy /NAMESPACE', file=sys.stderr)
        return 2
    with ros_process([]):
        observer = Node('security_policy')
        time.sleep(DISCOVERY_TIME)
        nodes = [one for one in observer.get_node_names_and_namespaces() if one[1] == arguments[0].rstrip('/')]
        try:
            print(policy_text(observer, nodes), end='')
        except InputError as error:
            print(f'error: {error}', file=sys.stderr)
            return 2
        finally:
            observer.destroy_node()
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
