"""Draws a signature like a finger would: the strokes, and a picture of them."""

import base64
import io
import math
from random import Random
from typing import TypedDict

from PIL import Image, ImageDraw

WIDTH, HEIGHT = 600, 200
_COLOR, _LINE_WIDTH = (26, 26, 26, 255), 4


class Dot(TypedDict):
    x: float
    y: float
    pressure: float
    time: int


Strokes = list[list[Dot]]


def draw_strokes(name: str) -> Strokes:
    """The same name always gets the same signature."""
    hand = Random(name)  # noqa: S311 - not used for security
    left, strokes, clock = 70.0, [], 0
    for word in name.split()[:2]:
        width = min(200.0, 32.0 * len(word))
        strokes.append(_word(hand, left, width, len(word), clock))
        left, clock = left + width + 36, clock + 900
    strokes.append(_flourish(hand, left, clock))
    return strokes


def _word(hand: Random, left: float, width: float, loops: int, clock: int) -> list[Dot]:
    """Loops along a line: the first one tall, the others of random height."""
    slant, tall = hand.uniform(0.2, 0.5), hand.uniform(46, 62)
    heights = [tall, *(hand.uniform(12, 34) for _ in range(loops))]
    steps = loops * 14
    dots: list[Dot] = []
    for step in range(steps + 1):
        along = step / steps
        turn = along * loops * math.tau
        height = heights[min(int(along * loops), loops)]
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


def render_strokes(strokes: Strokes) -> str:
    """A data URL like the one the signing page sends: a PNG with a transparent background."""
    image = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
    brush = ImageDraw.Draw(image)
    for stroke in strokes:
        brush.line([(dot["x"], dot["y"]) for dot in stroke], fill=_COLOR, width=_LINE_WIDTH, joint="curve")
    png = io.BytesIO()
    image.save(png, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(png.getvalue()).decode()
