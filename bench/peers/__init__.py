"""Peers are other servers that do the same work as Cairn. They are installed from their registries."""

from bench.peers.lite import lite
from bench.peers.peer import ACCOUNT, Peer, PeerMissing
from bench.peers.pocketbase import pocketbase

__all__ = ["ACCOUNT", "Peer", "PeerMissing", "lite", "pocketbase"]
