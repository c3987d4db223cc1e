"""Both providers on one port, until the process is ended."""

import sys

import uvicorn
from starlette.applications import Starlette

from tests.external.openid import OpenIdElsewhere
from tests.external.saml import SamlElsewhere


def main(port: int) -> None:
    url = f"http://127.0.0.1:{port}"
    app = Starlette(routes=[*OpenIdElsewhere(url).routes(), *SamlElsewhere(url).routes()])
    uvicorn.run(app, port=port, log_config=None, lifespan="off")


if __name__ == "__main__":
    main(int(sys.argv[1]))
