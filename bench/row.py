"""One measured line."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    measured: float
    goal: float | None
    """None for what is told, and not aimed at."""

    unit: str
    facts: str
    less_is_better: bool = False

    def cells(self) -> list[str]:
        return [self.what, f"{self.measured:.3g} {self.unit}", *self._judged(), self.facts]

    def _judged(self) -> tuple[str, str]:
        """The goal, and whether it is reached."""
        if self.goal is None:
            return "", ""
        reached = self.measured <= self.goal if self.less_is_better else self.measured >= self.goal
        bound = "<=" if self.less_is_better else ">="
        return f"{bound} {self.goal:.3g} {self.unit}", "yes" if reached else "no"
