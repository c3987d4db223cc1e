"""Cairn: digital waivers for tour and outdoor-activity businesses."""

__version__ = "0.2.0"
