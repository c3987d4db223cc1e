import { Outlet, redirectDocument, type ClientLoaderFunctionArgs } from "react-router";
import { PLAIN } from "~/lib/plain";
import PublicFrame from "./public-frame";

export const handle = PLAIN;

/**
 * This loader loads nothing but is required. A page that has only a client loader is prerendered as a loading screen.
 */
export const loader = () => null;

/** The app opens these pages as documents, because the server fills in their placeholders. */
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
