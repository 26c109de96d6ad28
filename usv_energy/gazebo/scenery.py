"""What stands in a world and does not move: things to see, things to run into."""

from xml.etree.ElementTree import Element

from .xml import add, add_all

Colour = tuple[float, float, float, float]

BLUE: Colour = (0.1, 0.35, 0.55, 0.85)
RED: Colour = (0.85, 0.15, 0.1, 1.0)
GREEN: Colour = (0.25, 0.45, 0.2, 1.0)
CONCRETE: Colour = (0.6, 0.6, 0.58, 1.0)


def static_model(world: Element, name: str, pose: tuple[float, ...]) -> Element:
    """
    Return the only link of a new model that does not move.

    :param pose: x, y, z, m, and roll, pitch, yaw, rad.
    """
    model = add(world, 'model', name=name)
    add_all(model, {'static': True, 'pose': pose})
    return add(model, 'link', name='link')


def add_picture(link: Element, name: str, shape: str, colour: Colour,
                place: tuple[float, float, float] = (0.0, 0.0, 0.0), **measures: object) -> None:
    """Add a shape to see: its kind (box, cylinder, plane), its colour, its place on the link, its measures, m."""
    visual = _shaped(link, 'visual', name, shape, place, measures)
    add_all(add(visual, 'material'), {'ambient': colour, 'diffuse': colour})


def add_solid(link: Element, name: str, shape: str, colour: Colour,
              place: tuple[float, float, float] = (0.0, 0.0, 0.0), **measures: object) -> None:
    """Add a shape to see and to run into; SDF wants the names of the two to differ."""
    _shaped(link, 'collision', f'{name}_body', shape, place, measures)
    add_picture(link, name, shape, colour, place, **measures)


def _shaped(link: Element, kind: str, name: str, shape: str, place: tuple[float, float, float],
            measures: dict[str, object]) -> Element:
    whole = add(link, kind, name=name)
    add(whole, 'pose', (*place, 0.0, 0.0, 0.0))
    add_all(add(add(whole, 'geometry'), shape), measures)
    return whole
