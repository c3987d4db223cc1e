"""Cairn: digital waivers for tour and outdoor-activity businesses."""

__version__ = "0.1.0"
