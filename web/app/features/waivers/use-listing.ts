import { useLayoutEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import { parseListing, withListing, type Listing } from "./model";

/** Returns the listing in the URL and a function that changes parts of it without adding to the browser history. */
export function useListing(): [Listing, (change: Partial<Listing>) => void] {
  const [query, setQuery] = useSearchParams();
  // The router does not queue changes: a second one before the next render would undo the first.
  const latestQuery = useRef(query);
  useLayoutEffect(() => {
    latestQuery.current = query;
  }, [query]);
  const change = (changes: Partial<Listing>) => {
    const current = latestQuery.current;
    latestQuery.current = withListing(current, { ...parseListing(current), ...changes });
    setQuery(latestQuery.current, { replace: true, preventScrollReset: true });
  };
  return [parseListing(query), change];
}
