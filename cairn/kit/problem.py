"""The base class of all expected errors. Packages subclass it, and each service renders it in its own JSON shape."""


class Problem(Exception):
    """An error that the caller is meant to understand: an HTTP status, a stable code and a message.

    The message may contain placeholders, which are filled from the keyword arguments.
    """

    status: int = 500
    code: str = "unexpected_failure"
    message: str = "Something went wrong."

    def __init__(self, **parameters: object) -> None:
        super().__init__(self.message.format(**parameters))
        self.parameters = parameters

    def __str__(self) -> str:
        return str(self.args[0])
