import { useId } from "react";

type Props = {
  place: number;
  initials: string[];
  onInitials: (initials: string[]) => void;
  problem: string | undefined;
};

/** Each place in the text is initialed separately, so nothing is filled in for the guest. */
export function InitialsField({ place, initials, onInitials, problem }: Props) {
  const id = useId();
  return (
    <span className="initials" data-field={`initials-${place}`}>
      <input
        value={initials[place] ?? ""}
        dir="auto"
        maxLength={10}
        autoComplete="off"
        autoCapitalize="characters"
        placeholder="Initials"
        aria-label={`Your initials, place ${place + 1}`}
        aria-required="true"
        aria-invalid={problem !== undefined}
        aria-describedby={problem && id}
        onChange={(event) => onInitials(withInitials(initials, place, event.target.value))}
      />
      {problem && (
        <span className="field-problem" id={id}>
          {problem}
        </span>
      )}
    </span>
  );
}

function withInitials(initials: string[], place: number, text: string): string[] {
  const count = Math.max(initials.length, place + 1);
  return Array.from({ length: count }, (_, index) => (index === place ? text : (initials[index] ?? "")));
}
