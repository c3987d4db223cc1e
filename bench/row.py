"""Defines a row of the results: one measured value with its goal."""

from cairn.kit import frozen_dataclass


@frozen_dataclass
class Row:
    """Holds one measured value, which is a line of bench/results.md."""

    what: str
    measured: float
    # A value without a goal is only reported.
    goal: float | None
    unit: str
    details: str
    less_is_better: bool = False

    def cells(self) -> list[str]:
        return [self.what, f"{self.measured:.3g} {self.unit}", *self._goal_cells(), self.details]

    def _goal_cells(self) -> tuple[str, str]:
        if self.goal is None:
            return "", ""
        is_reached = self.measured <= self.goal if self.less_is_better else self.measured >= self.goal
        bound = "<=" if self.less_is_better else ">="
        return f"{bound} {self.goal:.3g} {self.unit}", "yes" if is_reached else "no"
