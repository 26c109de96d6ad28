"""The folder of a bag of rosbag2 that was dropped as a .zip: unpacked into the browser's folder, within its limit."""

import shutil
import zipfile
from pathlib import Path, PurePosixPath

from usv_energy.files.errors import InputError
from usv_energy.files.limits import ARCHIVE_ERRORS, safe_name
from usv_energy.logs.bags.bag import SUFFIXES, is_bag
from usv_energy.web.browser_session import BrowserSession

ENDING, ABOUT = '.zip', 'metadata.yaml'
MOST_PARTS = 1000       # Files of an archive.


def unpacked_bag(session: BrowserSession, path: Path) -> Path:
    """
    Return the folder of a bag that lies in an archive, which is removed.

    Only files of a bag and metadata.yaml are unpacked, by their names alone, and no more bytes than the archive says.

    :param path: Of the archive, in the browser's folder.
    :raises InputError: If it is none, holds no bag, or more than the browser may keep.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            listed = archive.infolist()
            parts = {PurePosixPath(one.filename).name: one for one in listed[:MOST_PARTS] if not one.is_dir()}
            wanted = [(name, one) for name, one in parts.items() if name == ABOUT or Path(name).suffix in SUFFIXES]
            if all(name == ABOUT for name, _ in wanted):
                raise InputError(f'{path.name}: holds no bag of ROS 2: zip its folder, {ABOUT} with its .mcap or .db3')
            size = sum(one.file_size for _, one in wanted)
            folder = session.place_for(path.stem, size, ())
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            try:
                for name, one in wanted:
                    with archive.open(one) as packed, (folder / name).open('xb') as file:
                        shutil.copyfileobj(packed, file)    # As many bytes as the archive says; more are not read.
            except BaseException:
                shutil.rmtree(folder, ignore_errors=True)
                raise
    except InputError:
        raise
    except ARCHIVE_ERRORS as error:
        raise InputError(f'{path.name}: cannot be unpacked: {safe_name(str(error))}') from None
    finally:
        path.unlink(missing_ok=True)
    return folder


def is_whole_bag(path: Path) -> bool:
    """Return whether a path is the folder of a bag whose files all lie in it, and are no links to others."""
    return path.is_dir() and is_bag(path) and all(
        one.resolve().parent == path.resolve() for one in path.iterdir() if one.suffix in SUFFIXES)
