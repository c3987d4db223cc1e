import { useSearchParams } from "react-router";
import { parseListing, withListing, type Listing } from "./model";

/** The listing in the address, and a function that changes parts of it without adding to the history. */
export function useListing(): [Listing, (change: Partial<Listing>) => void] {
  const [query, setQuery] = useSearchParams();
  const change = (changes: Partial<Listing>) =>
    setQuery((now) => withListing(now, { ...parseListing(now), ...changes }), {
      replace: true,
      preventScrollReset: true,
    });
  return [parseListing(query), change];
}
