import { useSearchParams } from "react-router";
import { listingOf, withListing, type Listing } from "./model";

/** The question in the address, and a way to change part of it without filling the history. */
export function useListing(): [Listing, (change: Partial<Listing>) => void] {
  const [query, setQuery] = useSearchParams();
  const change = (part: Partial<Listing>) =>
    setQuery((now) => withListing(now, { ...listingOf(now), ...part }), {
      replace: true,
      preventScrollReset: true,
    });
  return [listingOf(query), change];
}
