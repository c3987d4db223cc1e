"""Draws a signature as if with a finger, and renders it as an image."""

import base64
import io
import math
from random import Random
from typing import TypedDict

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 600, 200
_BASELINE = 125
_WORD_GAP = 36
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
    steps = loops * 14
    dots: list[Dot] = []
    for step in range(steps + 1):
        progress = step / steps
        angle = progress * loops * math.tau
        height = heights[min(int(progress * loops), loops)]
        rise = height * (1 - math.cos(angle)) / 2
        x = left + progress * width + slant * rise + 7 * math.sin(angle)
        dots.append(_dot(x, _BASELINE - rise + random.uniform(-0.8, 0.8), start_ms + step * 9))
    return dots


def _flourish(random: Random, right: float, start_ms: int) -> list[Dot]:
    depth = random.uniform(14, 26)
    return [
        _dot(right - step * 9, 142 + depth * math.sin(step / 30 * math.pi) * 0.5, start_ms + step * 7)
        for step in range(31)
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
