"""The service's seal: its keys and certificates, and the PAdES signature it puts on a document."""

from cairn.waivers.documents.sealing.key_store import known_certificates, load_seal
from cairn.waivers.documents.sealing.seal import Seal

__all__ = ["Seal", "known_certificates", "load_seal"]
