import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Input } from "~/ui/input";
import { MAX_TERM_LENGTH } from "../model";

type Props = { term: string; onSearch: (term: string) => void };

/** Debounces typing, because each search is a request to the server. */
const DEBOUNCE = 250;

export function SearchBox({ term, onSearch }: Props) {
  const [typed, setTyped] = useState(term);
  const [searched, setSearched] = useState(term);
  const [previous, setPrevious] = useState(term);
  if (term !== previous) {
    setPrevious(term);
    // The term was changed by Back or a link. Our own search arriving here must not undo what was typed since.
    if (term !== searched) setTyped(term);
  }
  const search = useEffectEvent((text: string) => {
    if (text === term) return;
    setSearched(text);
    onSearch(text);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(typed), DEBOUNCE);
    return () => clearTimeout(timer);
  }, [typed]);

  return (
    <div className="relative grow basis-72">
      <Search
        className="pointer-events-none absolute start-3.5 top-1/2 size-4.5 -translate-y-1/2 text-muted"
        aria-hidden
      />
      <Input
        type="search"
        aria-label="Search waivers"
        placeholder="Search waivers by name, email, or template..."
        maxLength={MAX_TERM_LENGTH}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="ps-10.5 text-ellipsis"
      />
    </div>
  );
}
