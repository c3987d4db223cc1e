"""Serves both providers on one port until the process is stopped."""

import sys

import uvicorn
from starlette.applications import Starlette

from tests.external.openid import OpenIdProvider
from tests.external.saml import SamlProvider


def main(port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    app = Starlette(routes=[*OpenIdProvider(url).routes(), *SamlProvider(url).routes()])
    uvicorn.run(app, port=port, log_config=None, lifespan="off")


if __name__ == "__main__":
    main(int(sys.argv[1]))
