"""Other servers that do the same work, installed from their registries and measured in the same run."""

from bench.peers.lite import lite
from bench.peers.peer import PERSON, Peer, PeerMissing
from bench.peers.pocketbase import pocketbase

__all__ = ["PERSON", "Peer", "PeerMissing", "lite", "pocketbase"]
