import { Outlet, redirectDocument, type ClientLoaderFunctionArgs } from "react-router";
import { PLAIN } from "~/lib/plain";
import PublicFrame from "./public-frame";

export const handle = PLAIN;

/** Nothing to load, but said: a page with only a client's loader would be built as a loading screen. */
export const loader = () => null;

/** The app leaves for these pages as for any other site: they are documents the server fills in. */
export function clientLoader({ request }: ClientLoaderFunctionArgs): null {
  const isElsewhere = new URL(request.url).pathname !== window.location.pathname;
  if (import.meta.env.PROD && isElsewhere) throw redirectDocument(request.url);
  return null;
}

/** Public pages that need no script. */
export default function PlainLayout() {
  return (
    <PublicFrame>
      <main id="main">
        <Outlet />
      </main>
    </PublicFrame>
  );
}
