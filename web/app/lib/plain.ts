import { useContext } from "react";
import { UNSAFE_FrameworkContext, useMatches } from "react-router";

/** Plain pages are served without the app's scripts. A layout with this object as its `handle` contains plain pages. */
export const PLAIN = { plain: true } as const;

const isBuild = import.meta.env.SSR && import.meta.env.PROD;

/**
 * Returns true during the build, except for the fallback page. That page serves all routes that are not prerendered.
 */
export const useIsPrerendered = isBuild ? useIsNotFallback : () => false;

/** Returns true during the build for plain pages. */
export const useIsPlain = isBuild ? useIsPlainRoute : () => false;

function useIsPlainRoute(): boolean {
  const matches = useMatches();
  return useIsNotFallback() && matches.some(({ handle }) => handle === PLAIN);
}

/** The fallback page is rendered at "/" and must not be confused with the front page. */
function useIsNotFallback(): boolean {
  return !useContext(UNSAFE_FrameworkContext)?.isSpaMode;
}
