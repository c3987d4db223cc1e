"""The one family of refusals. Rooms subclass it, verbs raise it, each door renders it in its own accent."""


class Problem(Exception):
    """A refusal the caller is meant to understand."""

    status: int = 500
    code: str = "unexpected_failure"
    message: str = "Something went wrong."

    def __init__(self, **facts: object) -> None:
        super().__init__(self.message.format(**facts))
        self.facts = facts

    def __str__(self) -> str:
        return str(self.args[0])
