import { useConnectionState } from "~/lib/use-connection-state";
import { Button } from "~/ui/button";
import { Field } from "~/ui/field";
import { Select } from "~/ui/select";
import { useTemplateChoices } from "../api/filter-choices";
import {
  answerChoices,
  flagChoices,
  questionChoices,
  type Choice,
  type TemplateChoice,
} from "../filter-choices";
import type { Listing, PeopleFilters } from "../model";
import { FiltersSkeleton } from "./filters-skeleton";

type Props = { id: string; listing: Listing; onChange: (change: PeopleFilters) => void };

/** Filters by template and by what the people of a waiver have answered. */
export default function MoreFilters({ id, listing, onChange }: Props) {
  const { data: templates, isError, fetchStatus, refetch } = useTemplateChoices();
  if (templates)
    return (
      <div
        id={id}
        role="group"
        aria-label="Filters"
        className="grid basis-full gap-3 sm:grid-cols-2 xl:grid-cols-4"
      >
        <FilterFields templates={templates} listing={listing} onChange={onChange} />
      </div>
    );
  if (isError || fetchStatus === "paused") return <FiltersFailure id={id} onRetry={() => void refetch()} />;
  return <FiltersSkeleton id={id} />;
}

function FiltersFailure({ id, onRetry }: { id: string; onRetry: () => void }) {
  const isOffline = useConnectionState() === "offline";
  return (
    <div id={id} role="alert" className="flex basis-full flex-wrap items-center gap-3 text-muted">
      {isOffline
        ? "You are offline. The filters are loaded as soon as you are back."
        : "Failed to load the filters."}
      {!isOffline && (
        <Button variant="secondary" size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}

type FieldsProps = Omit<Props, "id"> & { templates: TemplateChoice[] };

/** The questions are those of one template. A filter of a link stays visible, even if its template no longer has it. */
function FilterFields({ templates, listing, onChange }: FieldsProps) {
  const { template, flag, question, answer } = listing;
  const flags = flagChoices(templates, listing);
  const questions = questionChoices(templates, listing);
  const chosen = questions.find(({ key }) => key === question);
  const needsTemplate =
    template === undefined &&
    templates.some(({ id }) => questionChoices(templates, { template: id }).length > 0);
  const chooseQuestion = (key: string | undefined) => {
    const next = questions.find((choice) => choice.key === key);
    onChange({ question: next?.key, answer: next && answerChoices(next)[0]?.[0] });
  };
  return (
    <>
      <FilterField
        label="Template"
        value={template}
        choices={templates.map(({ id, name }) => [id, name])}
        all="All templates"
        hint={needsTemplate && "Choose a template to filter by its questions."}
        onChoose={(value) => onChange({ template: value, question: undefined, answer: undefined })}
      />
      {(flags.length > 0 || flag !== undefined) && (
        <FilterField
          label="Flag"
          value={flag === "" ? ANY_FLAG : flag}
          choices={[[ANY_FLAG, "Any flag"], ...flags.map((text) => [text, text] as const)]}
          all="With and without flags"
          onChoose={(value) => onChange({ flag: value === ANY_FLAG ? "" : value })}
        />
      )}
      {(questions.length > 0 || question !== undefined) && (
        <FilterField
          label="Question"
          value={question}
          choices={questions.map(({ key, label }) => [key, label])}
          all="Any question"
          onChoose={chooseQuestion}
        />
      )}
      {question !== undefined && (
        <FilterField
          label="Answer"
          value={answer}
          choices={chosen ? answerChoices(chosen) : []}
          onChoose={(value) => onChange({ answer: value })}
        />
      )}
    </>
  );
}

/** No flag has this text, because a text has no control characters. */
const ANY_FLAG = "\n";

type FieldProps = {
  label: string;
  value: string | undefined;
  choices: Choice[];
  /** The label of the option without a filter. */
  all?: string;
  hint?: string | false;
  onChoose: (value: string | undefined) => void;
};

function FilterField({ label, value = "", choices, all, hint, onChoose }: FieldProps) {
  // A link may name a template or an answer that is not in the list.
  const isListed = choices.some(([choice]) => choice === value) || (value === "" && all !== undefined);
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChoose(target.value || undefined)}>
          {all !== undefined && <option value="">{all}</option>}
          {!isListed && <option value={value}>{value}</option>}
          {choices.map(([choice, text]) => (
            <option key={choice} value={choice}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
