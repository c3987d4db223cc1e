import { useContext } from "react";
import { UNSAFE_FrameworkContext, useMatches } from "react-router";

/** A layout that exports this as its `handle` holds pages that are complete as they are and come without any script. */
export const PLAIN = { plain: true } as const;

/** Only ever true while the pages are built: whoever runs this in a browser has scripts already. */
export const useIsPlain = import.meta.env.SSR && import.meta.env.PROD ? useMark : () => false;

function useMark(): boolean {
  const matches = useMatches();
  // The page for everything that is not built ahead is rendered as "/", and must not be taken for the front page.
  const isFallback = useContext(UNSAFE_FrameworkContext)?.isSpaMode ?? false;
  return matches.some(({ handle }) => handle === PLAIN) && !isFallback;
}
