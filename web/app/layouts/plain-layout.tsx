import { Outlet, redirectDocument, type ClientLoaderFunctionArgs } from "react-router";
import { PLAIN } from "~/lib/plain";
import PublicFrame from "./public-frame";

export const handle = PLAIN;

/**
 * This loader returns nothing useful, but it is required: without it, the pages would be prerendered as loading screens,
 * because they have a client loader.
 */
export const loader = () => null;

/**
 * A link from the app to a plain page loads the page from the server instead of rendering it in the browser, because the
 * server fills in its placeholders.
 */
export function clientLoader({ request }: ClientLoaderFunctionArgs): null {
  const isOtherPage = new URL(request.url).pathname !== window.location.pathname;
  if (import.meta.env.PROD && isOtherPage) throw redirectDocument(request.url);
  return null;
}

/** Lays out public pages that work without any script. */
export default function PlainLayout() {
  return (
    <PublicFrame>
      <main id="main">
        <Outlet />
      </main>
    </PublicFrame>
  );
}
