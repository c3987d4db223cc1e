import type { Covers } from "~/lib/waiver-form/types";
import { RadioField } from "~/ui/radio-field";
import type { Problem } from "../problems";
import { withoutFields } from "../fields";
import { NumberField } from "./number-field";

const MINOR_FIELDS = [
  { field: "most", label: "Minors at most", placeholder: "10", hint: "One signature covers at most 30." },
  { field: "own_signature_from_age", label: "Minors sign too from the age of", hint: "Optional." },
] as const;

const AGE_FIELDS = [
  {
    field: "age_of_majority",
    label: "Age of majority",
    placeholder: "18",
    hint: "Anyone younger is a minor.",
  },
  { field: "minimum_age", label: "Lowest age to take part", hint: "Optional." },
  { field: "maximum_age", label: "Highest age to take part", hint: "Optional." },
] as const;

/** The fields at which a problem can be shown. */
export const COVER_FIELDS = new Set<string>([...MINOR_FIELDS, ...AGE_FIELDS].map(({ field }) => field));

type Coverage = "signer" | "both" | "minors";

const COVERAGES: { coverage: Coverage; label: string; explanation: string }[] = [
  { coverage: "signer", label: "Only the signer", explanation: "Everyone signs for themselves." },
  {
    coverage: "both",
    label: "The signer and minors",
    explanation: "A parent or guardian takes part, and signs for their children too.",
  },
  {
    coverage: "minors",
    label: "Only minors",
    explanation: "A parent or guardian signs for their children and does not take part.",
  },
];

type Props = { covers: Covers; problems: Problem[]; onChange: (covers: Covers) => void };

/** Sets whom one signature covers, and which ages may take part. */
export function CoversFields({ covers, problems, onChange }: Props) {
  const coverage = coverageOf(covers);
  const problemAt = (field: string) => problems.find((problem) => problem.field === field)?.text;
  const setAge = (field: (typeof AGE_FIELDS)[number]["field"]) => (age: number | null) =>
    onChange(age === null ? withoutFields(covers, field) : { ...covers, [field]: age });
  const setMinors = (field: (typeof MINOR_FIELDS)[number]["field"]) => (value: number | null) =>
    onChange({ ...covers, minors: { ...covers.minors, [field]: value } });
  return (
    <section aria-label="Whom a signature covers" className="flex flex-col gap-3">
      <h3 className="font-semibold">Whom a signature covers</h3>
      <div role="radiogroup" aria-label="Whom a signature covers" className="grid gap-x-6 md:grid-cols-3">
        {COVERAGES.map((option) => (
          <RadioField
            key={option.coverage}
            name="coverage"
            label={option.label}
            checked={coverage === option.coverage}
            onChange={() => onChange(withCoverage(covers, option.coverage))}
          >
            {option.explanation}
          </RadioField>
        ))}
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {coverage !== "signer" &&
          MINOR_FIELDS.map(({ field, ...text }) => (
            <NumberField
              key={field}
              {...text}
              value={covers.minors?.[field]}
              error={problemAt(field)}
              onChange={setMinors(field)}
            />
          ))}
        {AGE_FIELDS.map(({ field, ...text }) => (
          <NumberField
            key={field}
            {...text}
            value={covers[field]}
            error={problemAt(field)}
            onChange={setAge(field)}
          />
        ))}
      </div>
      <p className="text-sm text-muted">
        The age of the signer is checked only if you ask them for their birth date. Minors always give theirs.
      </p>
    </section>
  );
}

function coverageOf({ signer = true, minors }: Covers): Coverage {
  if (!minors) return "signer";
  return signer ? "both" : "minors";
}

function withCoverage(covers: Covers, coverage: Coverage): Covers {
  const rest = withoutFields(covers, "signer", "minors");
  if (coverage === "signer") return rest;
  return { ...rest, signer: coverage === "both", minors: covers.minors ?? {} };
}
