"""One measured line."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    what: str
    measured: float
    goal: float
    unit: str
    facts: str
    less_is_better: bool = False

    @property
    def reached(self) -> bool:
        return self.measured <= self.goal if self.less_is_better else self.measured >= self.goal

    def cells(self) -> list[str]:
        bound = "<=" if self.less_is_better else ">="
        verdict = "yes" if self.reached else "no"
        return [
            self.what,
            f"{self.measured:.3g} {self.unit}",
            f"{bound} {self.goal:.3g} {self.unit}",
            verdict,
            self.facts,
        ]
