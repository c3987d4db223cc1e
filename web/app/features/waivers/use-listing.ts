import { useSearchParams } from "react-router";
import { parseListing, withListing, type Listing } from "./model";

/** Returns the listing in the URL and a function that changes parts of it without adding to the browser history. */
export function useListing(): [Listing, (change: Partial<Listing>) => void] {
  const [query, setQuery] = useSearchParams();
  const change = (changes: Partial<Listing>) =>
    setQuery((current) => withListing(current, { ...parseListing(current), ...changes }), {
      replace: true,
      preventScrollReset: true,
    });
  return [parseListing(query), change];
}
