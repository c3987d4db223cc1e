"""A signature as a finger draws it: strokes, and the picture of them."""

import base64
import io
import math
from random import Random
from typing import TypedDict

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 600, 200
_INK, _LINE = (26, 26, 26, 255), 4


class Dot(TypedDict):
    x: float
    y: float
    pressure: float
    time: int


Strokes = list[list[Dot]]


def strokes_of(name: str) -> Strokes:
    """The same name always signs the same way."""
    hand = Random(name)  # noqa: S311 - handwriting is no secret
    left, strokes, clock = 70.0, [], 0
    words = name.split()[:2]
    for word in words:
        width = min(200.0, 32.0 * len(word))
        strokes.append(_word(hand, left, width, len(word), clock))
        left, clock = left + width + 36, clock + 900
    strokes.append(_flourish(hand, left, clock))
    return strokes


def _word(hand: Random, left: float, width: float, letters: int, clock: int) -> list[Dot]:
    """Loops along a line: the first one tall, the others as it comes."""
    slant, tall = hand.uniform(0.2, 0.5), hand.uniform(46, 62)
    heights = [tall, *(hand.uniform(12, 34) for _ in range(letters))]
    steps = letters * 14
    dots: list[Dot] = []
    for step in range(steps + 1):
        along = step / steps
        turn = along * letters * math.tau
        height = heights[min(int(along * letters), letters)]
        rise = height * (1 - math.cos(turn)) / 2
        x = left + along * width + slant * rise + 7 * math.sin(turn)
        dots.append(_dot(x, 125 - rise + hand.uniform(-0.8, 0.8), clock + step * 9))
    return dots


def _flourish(hand: Random, right: float, clock: int) -> list[Dot]:
    depth = hand.uniform(14, 26)
    return [
        _dot(right - step * 9, 142 + depth * math.sin(step / 30 * math.pi) * 0.5, clock + step * 7)
        for step in range(31)
    ]


def _dot(x: float, y: float, time: int) -> Dot:
    return {"x": round(min(max(x, 4), WIDTH - 4), 1), "y": round(y, 1), "pressure": 0.5, "time": time}


def picture_of(strokes: Strokes) -> str:
    """As the signing page sends it: a PNG with nothing behind the ink."""
    paper = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
    brush = ImageDraw.Draw(paper)
    for stroke in strokes:
        brush.line([(dot["x"], dot["y"]) for dot in stroke], fill=_INK, width=_LINE, joint="curve")
    saved = io.BytesIO()
    paper.save(saved, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(saved.getvalue()).decode()
