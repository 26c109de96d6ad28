"""`usv-energy serve`: the studies as pages in a browser, on this machine and, if asked, for others."""

import argparse
from pathlib import Path

from usv_energy.cli.quantities import whole_number
from usv_energy.show.terminal import say

PORT, HIGHEST_PORT = 8080, 65535


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments."""
    parser.add_argument('--host', default='127.0.0.1', metavar='HOST',
                        help="address to listen at (%(default)s: only this machine's browsers). Others are let in by a "
                             'token in the address that is printed; 0.0.0.0 is all addresses of this machine')
    parser.add_argument('--port', type=whole_number(0, HIGHEST_PORT), default=PORT, metavar='N',
                        help='port to listen at, 0 for a free one (%(default)s)')
    parser.add_argument('--folder', type=Path, default=Path(), metavar='DIR',
                        help='whose plans, boats, flows, logs and maps the pages offer; nothing is written there, and '
                             'nothing beside it is read (default: the working folder)')
    parser.add_argument('--no-browser', action='store_true', help='do not open a browser')


def execute(args: argparse.Namespace) -> int:
    """Serve until Ctrl-C."""
    from usv_energy.web.server import Address, serve
    serve(Address(args.host, args.port), args.folder, say, not args.no_browser)
    return 0
