"""Creates an SVG animation that draws the signature again at the signer's own speed."""

from collections.abc import Iterator
from typing import Any

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


def replayable_svg(strokes: Any) -> str | None:
    """Returns None if no strokes were recorded: for an older or a typed signature, or for malformed data."""
    drawn_strokes = [points for stroke in _as_list(strokes) if (points := list(_points(stroke)))]
    if not drawn_strokes:
        return None
    start_ms = drawn_strokes[0][0][2]
    return _SVG.format(
        width=_WIDTH, height=_HEIGHT, strokes="\n".join(_animated_path(points, start_ms) for points in drawn_strokes)
    )


def _animated_path(points: list[tuple[float, float, float]], start_ms: float) -> str:
    path = " ".join(f"{'L' if index else 'M'}{x:.1f} {y:.1f}" for index, (x, y, _) in enumerate(points))
    if len(points) == 1:
        path += f" L{points[0][0]:.1f} {points[0][1]:.1f}"
    begin, end = (points[0][2] - start_ms) / 1000, (points[-1][2] - start_ms) / 1000
    return _STROKE.format(path=path, begin=max(begin, 0), duration=max(end - begin, 0.01))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _points(stroke: Any) -> Iterator[tuple[float, float, float]]:
    """Yields x, y and the time in milliseconds. Skips malformed points, because a browser may have sent anything."""
    for point in _as_list(stroke):
        match point:
            case {"x": int() | float() as x, "y": int() | float() as y, "time": int() | float() as time}:
                yield x, y, time
