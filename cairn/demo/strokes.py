"""Draws a signature as if with a finger, and renders it as an image."""

import base64
import io
import math
from random import Random
from typing import TypedDict

from PIL import Image, ImageDraw

# All positions and lengths are in pixels.
WIDTH, HEIGHT = 600, 200
_BASELINE = 125
_FLOURISH_Y = 142
_WORD_GAP = 36
_LOOP_RADIUS = 7
_DOTS_PER_LOOP = 14
_FLOURISH_STEPS = 30
_MILLISECONDS_PER_DOT = 9
_MILLISECONDS_PER_FLOURISH_DOT = 7
_MILLISECONDS_PER_WORD = 900
_COLOR, _LINE_WIDTH = (26, 26, 26, 255), 4


class Dot(TypedDict):
    """A point of a stroke. `time` is in milliseconds."""

    x: float
    y: float
    pressure: float
    time: int


Strokes = list[list[Dot]]


def draw_strokes(name: str) -> Strokes:
    """Draws one stroke per word and a flourish. The same name always gets the same signature."""
    random = Random(name)  # noqa: S311 - not used for security
    left, strokes, start_ms = 70.0, [], 0
    for word in name.split()[:2]:
        width = min(200.0, 32.0 * len(word))
        strokes.append(_word(random, left, width, len(word), start_ms))
        left, start_ms = left + width + _WORD_GAP, start_ms + _MILLISECONDS_PER_WORD
    strokes.append(_flourish(random, left, start_ms))
    return strokes


def _word(random: Random, left: float, width: float, loops: int, start_ms: int) -> list[Dot]:
    """Draws loops in a row, one per character. The first loop is tall, and the others have random heights."""
    slant, first_height = random.uniform(0.2, 0.5), random.uniform(46, 62)
    heights = [first_height, *(random.uniform(12, 34) for _ in range(loops))]
    steps = loops * _DOTS_PER_LOOP
    dots: list[Dot] = []
    for step in range(steps + 1):
        progress = step / steps
        angle = progress * loops * math.tau
        height = heights[min(int(progress * loops), loops)]
        rise = height * (1 - math.cos(angle)) / 2
        x = left + progress * width + slant * rise + _LOOP_RADIUS * math.sin(angle)
        y = _BASELINE - rise + random.uniform(-0.8, 0.8)
        dots.append(_dot(x, y, start_ms + step * _MILLISECONDS_PER_DOT))
    return dots


def _flourish(random: Random, right: float, start_ms: int) -> list[Dot]:
    """Draws an arc from right to left below the words."""
    depth = random.uniform(7, 13)
    return [
        _dot(
            right - step * 9,
            _FLOURISH_Y + depth * math.sin(step / _FLOURISH_STEPS * math.pi),
            start_ms + step * _MILLISECONDS_PER_FLOURISH_DOT,
        )
        for step in range(_FLOURISH_STEPS + 1)
    ]


def _dot(x: float, y: float, time_ms: int) -> Dot:
    return {"x": round(min(max(x, 4), WIDTH - 4), 1), "y": round(y, 1), "pressure": 0.5, "time": time_ms}


def render_strokes(strokes: Strokes) -> str:
    """Returns a PNG with a transparent background as a data URL, like the one that the signing page sends."""
    image = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
    brush = ImageDraw.Draw(image)
    for stroke in strokes:
        brush.line([(dot["x"], dot["y"]) for dot in stroke], fill=_COLOR, width=_LINE_WIDTH, joint="curve")
    png = io.BytesIO()
    image.save(png, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()
