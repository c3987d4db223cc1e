"""Creates an SVG animation that draws the signature again at the signer's own speed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

_WIDTH, _HEIGHT = 600, 200
_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" fill="none" stroke="#000" stroke-width="2" '
    'stroke-linecap="round" stroke-linejoin="round">\n{strokes}\n</svg>\n'
)
_STROKE = (
    '<path pathLength="1" stroke-dasharray="1" stroke-dashoffset="1" d="{path}">'
    '<animate attributeName="stroke-dashoffset" from="1" to="0" begin="{begin:.3f}s" dur="{duration:.3f}s" '
    'fill="freeze"/></path>'
)


class _Point(NamedTuple):
    x: float
    y: float
    time_ms: float


def replayable_svg(strokes: Any) -> str | None:
    """Returns None if no strokes were recorded: for an older or a typed signature, or for malformed data."""
    all_strokes = [list(_points(stroke)) for stroke in _as_list(strokes)]
    drawn_strokes = [points for points in all_strokes if points]
    if not drawn_strokes:
        return None
    start_ms = drawn_strokes[0][0].time_ms
    return _SVG.format(
        width=_WIDTH, height=_HEIGHT, strokes="\n".join(_animated_path(points, start_ms) for points in drawn_strokes)
    )


def _animated_path(points: list[_Point], start_ms: float) -> str:
    first, last = points[0], points[-1]
    # A stroke of a single point is a line from this point to itself, which is drawn as a dot.
    further_points = points[1:] or [first]
    lines = "".join(f" L{point.x:.1f} {point.y:.1f}" for point in further_points)
    begin, end = (first.time_ms - start_ms) / 1000, (last.time_ms - start_ms) / 1000
    return _STROKE.format(
        path=f"M{first.x:.1f} {first.y:.1f}{lines}", begin=max(begin, 0), duration=max(end - begin, 0.01)
    )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _points(stroke: Any) -> Iterator[_Point]:
    """Skips malformed points, because a browser may have sent anything."""
    for point in _as_list(stroke):
        match point:
            case {"x": int() | float() as x, "y": int() | float() as y, "time": int() | float() as time}:
                yield _Point(x, y, time)
