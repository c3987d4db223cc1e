import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Input } from "~/ui/input";
import { MAX_TERM_LENGTH } from "../model";

type Props = { term: string; onSearch: (term: string) => void };

/** Typing is debounced, because each search is a request to the server. */
const DEBOUNCE_MS = 250;

export function SearchBox({ term, onSearch }: Props) {
  const [input, setInput] = useState(term);
  const [lastSearch, setLastSearch] = useState(term);
  const [previousTerm, setPreviousTerm] = useState(term);
  if (term !== previousTerm) {
    setPreviousTerm(term);
    // If the new term is the user's own last search, the input stays, because the user may have typed more since then.
    // Any other term comes from the Back button or a link.
    if (term !== lastSearch) setInput(term);
  }
  const search = useEffectEvent((text: string) => {
    if (text === term) return;
    setLastSearch(text);
    onSearch(text);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(input), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [input]);

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
        value={input}
        onChange={({ target }) => setInput(target.value)}
        className="ps-10.5 text-ellipsis"
      />
    </div>
  );
}
