import { useContext } from "react";
import { UNSAFE_FrameworkContext, useMatches } from "react-router";

/** A layout that exports this as its `handle` holds pages that are complete as they are and come without any script. */
export const PLAIN = { plain: true } as const;

const isBuild = import.meta.env.SSR && import.meta.env.PROD;

/** Only ever true while the pages are built, and not for the page that stands in for all that are not. */
export const useIsPrerendered = isBuild ? useIsNoFallback : () => false;

/** The same, and the page needs no script. */
export const useIsPlain = isBuild ? useMark : () => false;

function useMark(): boolean {
  const matches = useMatches();
  return useIsNoFallback() && matches.some(({ handle }) => handle === PLAIN);
}

/** The fallback is rendered as "/", and must not be taken for the front page. */
function useIsNoFallback(): boolean {
  return !useContext(UNSAFE_FrameworkContext)?.isSpaMode;
}
