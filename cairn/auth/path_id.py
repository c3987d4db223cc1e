from uuid import UUID

from starlette.requests import Request

from cairn.kit import Problem


def path_id(request: Request, name: str, otherwise: type[Problem]) -> UUID:
    """What an address names, or the refusal of this door for something that is no id."""
    try:
        return UUID(request.path_params[name])
    except ValueError as malformed:
        raise otherwise from malformed
