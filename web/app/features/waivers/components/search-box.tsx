import { Search } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { Input } from "~/ui/input";
import { LONGEST_TERM } from "../model";

type Props = { term: string; onSearch: (term: string) => void };

/** A pause in typing; otherwise every letter would be a question to the server. */
const PAUSE = 250;

export function SearchBox({ term, onSearch }: Props) {
  const [typed, setTyped] = useState(term);
  const [asked, setAsked] = useState(term);
  const [known, setKnown] = useState(term);
  if (term !== known) {
    setKnown(term);
    // Changed from elsewhere, by Back or a link. One's own question coming round must not undo what was typed since.
    if (term !== asked) setTyped(term);
  }
  const ask = useEffectEvent((text: string) => {
    if (text === term) return;
    setAsked(text);
    onSearch(text);
  });
  useEffect(() => {
    const pause = setTimeout(() => ask(typed), PAUSE);
    return () => clearTimeout(pause);
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
        maxLength={LONGEST_TERM}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="ps-10.5 text-ellipsis"
      />
    </div>
  );
}
