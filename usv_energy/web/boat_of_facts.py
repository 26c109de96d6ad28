"""A boat made of typed facts, as `usv-energy boat make` makes it, and its range, as `usv-energy range` has it."""

from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, NamedTuple

from usv_energy.boats.boat_file import Boat, write_boat
from usv_energy.files.work import Progress
from usv_energy.studies.make.boat_facts import FACTS, ROWS, facts_document, facts_from, facts_of_texts, stated
from usv_energy.studies.make.made_boat import MadeBoat, made_boat
from usv_energy.studies.range.range_study import range_study
from usv_energy.studies.range.range_text import range_figures

HEADING = 'Made by usv-energy boat make; sources say measured, derived or guessed.'


class Answer(NamedTuple):
    """What follows from facts: the boat, its file, and its range without and, once it is known, with intervals."""

    made: MadeBoat
    boat: Boat
    range: dict[str, Any]


def made_of(texts: Mapping[str, str], path: Path) -> Answer:
    """
    Return the boat that typed facts make, written to a file, and its range.

    :param texts: By the keys of the facts.
    :param path: Of the file.
    :raises InputError: As `facts_of_texts`, `facts_from` and `made_boat`.
    """
    document = facts_document(facts_of_texts(texts, 'boat'))
    facts = facts_from(document, Path('boat'))
    made = made_boat(facts, {'date': f'{datetime.now(timezone.utc):%Y-%m-%d}', 'command': 'usv-energy serve'})
    boat = write_boat(made.document, path, HEADING)
    return Answer(made, boat, range_figures(range_study(boat, with_bands=False)))


def range_with_intervals(boat: Boat, progress: Progress) -> dict[str, Any]:
    """Return the figures of `usv-energy range` for a boat."""
    return range_figures(range_study(boat, progress=progress))


def texts_of_facts(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the facts of a file as texts by their keys, as they are typed; what is no fact is left out."""
    plain = stated(dict(document))
    texts = {}
    for fact in FACTS:
        if (value := fact.of(plain)) is not None:
            texts[fact.key] = '\n'.join(', '.join(map(str, row)) for row in value) if fact.kind == ROWS else str(value)
    return texts
