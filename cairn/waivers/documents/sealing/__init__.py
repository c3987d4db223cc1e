"""Loads the keys and certificates of the service's seal, and signs documents with it (PAdES)."""

from cairn.waivers.documents.sealing.key_store import known_certificates, load_seal, open_seal
from cairn.waivers.documents.sealing.seal import Seal

__all__ = ["Seal", "known_certificates", "load_seal", "open_seal"]
