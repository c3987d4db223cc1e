"""Limits the memory of the frames that wait in the send queues of all sockets together."""

from collections import Counter
from typing import Protocol

from cairn.limits import key_of_larger_network


class Queue(Protocol):
    network: str
    queued_bytes: int

    def disconnect(self) -> None: ...


class UnsentBytes:
    """Content that waits in many queues is counted once, because the queues share its memory.

    If all of it exceeds the limit, clients of the network with the most waiting bytes are disconnected.
    """

    def __init__(self, max_bytes: int) -> None:
        self.total_bytes = 0
        self._max_bytes = max_bytes
        # The number of queues in which each content waits, by the id of the content.
        self._queue_counts: Counter[int] = Counter()
        self._queues: set[Queue] = set()

    def add(self, queue: Queue, content: str | bytes) -> None:
        self._queues.add(queue)
        self._queue_counts[id(content)] += 1
        if self._queue_counts[id(content)] == 1:
            self.total_bytes += len(content)
        while self.total_bytes > self._max_bytes:
            self._disconnect_network_with_most_bytes()

    def remove(self, queue: Queue, content: str | bytes) -> None:
        if not queue.queued_bytes:
            self._queues.discard(queue)
        self._queue_counts[id(content)] -= 1
        if not self._queue_counts[id(content)]:
            del self._queue_counts[id(content)]
            self.total_bytes -= len(content)

    def _disconnect_network_with_most_bytes(self) -> None:
        """Disconnects the clients of one network, those with the most waiting bytes first, until a quarter is free."""
        bytes_of_network: Counter[str] = Counter()
        for queue in self._queues:
            bytes_of_network[_customer_network(queue)] += queue.queued_bytes
        network = bytes_of_network.most_common(1)[0][0]
        queues = [queue for queue in self._queues if _customer_network(queue) == network]
        for queue in sorted(queues, key=lambda queue: queue.queued_bytes, reverse=True):
            queue.disconnect()
            if self.total_bytes <= self._max_bytes * 3 // 4:
                return


def _customer_network(queue: Queue) -> str:
    return key_of_larger_network(queue.network) or queue.network
