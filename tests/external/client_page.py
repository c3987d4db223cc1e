"""A small web page on another origin that uses supabase-js from its npm package."""

from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.routing import Route

NPM_PACKAGES = Path(__file__).parent.parent.parent / "web" / "node_modules"
CLIENT_PACKAGES = {"newest": "@supabase/supabase-js", "old": "supabase-old"}

PAGE = """<!doctype html><title>A page with supabase-js</title>
<button onclick="signIn('rosa@rio-rafting.example')">Continue with Google</button>
<output>signed out</output>
<script src="/client/{client}.js"></script>
<script>
  window.authEvents = [];
  window.client = supabase.createClient("{url}", "{key}", {{ auth: {{ flowType: "{flow}" }} }});
  client.auth.onAuthStateChange((event, session) => {{
    authEvents.push(event);
    if (session) document.querySelector("output").textContent = session.user.email;
  }});
  const signIn = (email, options = {{}}) => client.auth.signInWithOAuth({{
    provider: "google",
    options: {{ redirectTo: location.origin + location.pathname, queryParams: {{ login_hint: email }}, ...options }},
  }});
</script>
"""


class ClientPage:
    """Serves the page at `/{client}/{flow}`. Tests set `url` and `anon_key` once the Cairn server is running."""

    def __init__(self) -> None:
        self.url = self.anon_key = ""

    def routes(self) -> list[Route]:
        return [Route("/client/{client}.js", self.script), Route("/{client}/{flow}", self.page)]

    async def page(self, request: Request) -> Response:
        return HTMLResponse(PAGE.format(url=self.url, key=self.anon_key, **request.path_params))

    async def script(self, request: Request) -> Response:
        package = CLIENT_PACKAGES[request.path_params["client"]]
        return FileResponse(NPM_PACKAGES / package / "dist" / "umd" / "supabase.js", media_type="text/javascript")
