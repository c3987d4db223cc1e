import type { Question } from "~/lib/waiver-form/types";
import { STATUS_LABELS, type Listing, type PeopleFilters } from "./model";

export type TemplateChoice = { id: string; name: string; questions: Question[] };
/** The value and the label of an option of a select. */
export type Choice = readonly [value: string, label: string];

/** Returns the texts of all flags, or of the flags in the chosen template. */
export function flagChoices(templates: TemplateChoice[], { template, flag }: PeopleFilters): string[] {
  const searched = templates.filter(({ id }) => template === undefined || id === template);
  const texts = searched.flatMap(({ questions }) =>
    questions.flatMap((question) => question.flag?.text ?? []),
  );
  return [...new Set([...texts, ...(flag ? [flag] : [])])].toSorted((a, b) => a.localeCompare(b));
}

/** Returns the questions of the chosen template that have a list of possible answers. */
export function questionChoices(templates: TemplateChoice[], { template }: PeopleFilters): Question[] {
  const questions = templates.find(({ id }) => id === template)?.questions ?? [];
  return questions.filter((question) => answerChoices(question).length > 0);
}

/** Returns the possible answers, as the server compares them: yes is "true". */
export function answerChoices({ kind, options = [] }: Question): Choice[] {
  if (kind === "yes_no")
    return [
      ["true", "Yes"],
      ["false", "No"],
    ];
  if (kind === "agreement") return [["true", "Agreed"]];
  return options.map(({ value, label }) => [value, label]);
}

/** Says which filters are on, for example: status Signed, flag Asthma. */
export function filterSummary(listing: Listing, templates: TemplateChoice[]): string {
  const { term, status, template, flag, question, answer } = listing;
  const chosen = questionChoices(templates, listing).find(({ key }) => key === question);
  const answerLabel = chosen && answerChoices(chosen).find(([value]) => value === answer)?.[1];
  const filters = [
    term.trim() && `search \u201C${term.trim()}\u201D`,
    status !== "all" && `status ${STATUS_LABELS[status]}`,
    template !== undefined && `template ${templates.find(({ id }) => id === template)?.name ?? template}`,
    flag !== undefined && (flag === "" ? "any flag" : `flag ${flag}`),
    question !== undefined && `\u201C${chosen?.label ?? question}\u201D is ${answerLabel ?? answer}`,
  ];
  return filters.filter(Boolean).join(", ");
}
