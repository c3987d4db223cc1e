"""Chooses the part of an image that remains when it is cut to the proportions of another size."""

from typing import Literal

Gravity = Literal["no", "so", "ea", "we", "noea", "nowe", "soea", "sowe", "ce", "sm", "fp"]
"""The names of imgproxy: edges and corners by the points of the compass, the middle (ce), and a focal point (fp).

`sm` means the most interesting part. Pillow cannot find it, so the middle remains.
"""

Box = tuple[float, float, float, float]


def crop_box(image_size: tuple[int, int], size: tuple[int, int], gravity: Gravity, offset: tuple[float, float]) -> Box:
    """Returns the largest part of the image with the proportions of `size`, as left, top, right and bottom.

    An offset moves this part away from its edge: by pixels of the result, or below 1 by a share of the image. If there
    is a focal point, the offset says where it is, and the part has it in the middle if possible.
    """
    scale = max(size[0] / image_size[0], size[1] / image_size[1])
    x_offset, y_offset = (0.0, 0.0) if gravity == "sm" else offset
    left = _start(image_size[0], size[0] / scale, _pull(gravity, "we", "ea"), x_offset, scale)
    top = _start(image_size[1], size[1] / scale, _pull(gravity, "no", "so"), y_offset, scale)
    return left, top, min(left + size[0] / scale, image_size[0]), min(top + size[1] / scale, image_size[1])


Pull = Literal["start", "middle", "end", "point"]


def _pull(gravity: Gravity, start: str, end: str) -> Pull:
    if gravity == "fp":
        return "point"
    if start in gravity:
        return "start"
    return "end" if end in gravity else "middle"


def _start(length: float, part: float, pull: Pull, offset: float, scale: float) -> float:
    """Returns where a part of this length starts along one side of the image."""
    last_start = length - part
    shift = offset / scale if abs(offset) >= 1 else offset * length
    starts = {
        "start": shift,
        "middle": last_start / 2 + shift,
        "end": last_start - shift,
        "point": offset * length - part / 2,
    }
    return max(0.0, min(starts[pull], last_start))
