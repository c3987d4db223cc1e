"""The processes in which documents are rendered and sealed, and in which the PDFs of strangers are read.

The worst text that a template may have takes about 2 s of processor time and 370 MB. If another process uses the same
processor core, it takes up to twice the time.
"""

import os

from cairn.kit import PoolSize, SandboxLimits, SandboxPool, preload

_MEGABYTE = 1024 * 1024

# Every process needs these, so they are loaded once.
preload(
    [
        "cairn.waivers.documents.render_and_seal",
        "cairn.waivers.documents.sealing.sealer",
        "cairn.waivers.documents.sealing.timestamps",
        "cairn.waivers.documents.verification.read_seal",
    ]
)

_RENDERING_LIMITS = SandboxLimits(
    cpu_seconds=8, wall_seconds=30, memory_bytes=768 * _MEGABYTE, output_bytes=30 * _MEGABYTE
)
_READING_LIMITS = SandboxLimits(cpu_seconds=3, wall_seconds=15, memory_bytes=512 * _MEGABYTE, output_bytes=_MEGABYTE)


def rendering_processes(count: int) -> SandboxPool:
    """Returns the processes that render texts of companies. The key is the company, or the network of the caller."""
    # One process and one processor core are left free for other keys.
    per_key = max(1, min(count, os.cpu_count() or 1) - 1)
    size = PoolSize(
        processes=count, processes_per_key=per_key, calls_per_process=500, waiting_per_key=20, always_idle=1
    )
    return SandboxPool(_RENDERING_LIMITS, size)


def reading_processes() -> SandboxPool:
    """Returns the processes that read uploaded files, each in its own process. The key is the network of the caller."""
    size = PoolSize(processes=3, processes_per_key=1, calls_per_process=1, waiting=30, waiting_per_key=5)
    return SandboxPool(_READING_LIMITS, size)
