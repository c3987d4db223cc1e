import { csvLine } from "~/lib/csv";
import type { ExportedParticipantRow } from "~/lib/database";
import { answerText } from "~/lib/waiver-form/answer-text";
import { toAnswer } from "~/lib/waiver-form/parse";
import { BYTE_ORDER_MARK, csvCells, CSV_COLUMNS } from "./directory-csv";
import type { DirectoryRow } from "./model";

/** Which columns are added to those of the list in a file with one row for each participant. */
export type ParticipantColumns = {
  birthDates: boolean;
  flags: boolean;
  answers: boolean;
  sensitive: boolean;
};

/** The participants of each waiver with a form, by the id of the waiver. */
export type ExportedPeople = Map<string, ExportedParticipantRow[]>;

/** A waiver without a form has one participant, its signer. An unsigned session has none, and is still a row. */
export function participantLines(rows: DirectoryRow[], people: ExportedPeople, columns: ParticipantColumns) {
  const labels = columns.answers ? questionLabels(people) : [];
  const header = [
    ...CSV_COLUMNS,
    "Participant",
    ...(columns.birthDates ? ["Kind", "Birth date"] : []),
    ...(columns.flags ? ["Flags"] : []),
    ...labels,
  ];
  const lines = rows.flatMap((row) => {
    const participants = people.get(row.id) ?? [signerOf(row)];
    return participants.map((participant) =>
      csvLine([...csvCells(row), ...participantCells(participant, columns, labels)]),
    );
  });
  return { header: BYTE_ORDER_MARK + csvLine(header), lines };
}

/** Questions with the same label share a column, even if they belong to different templates. */
function questionLabels(people: ExportedPeople): string[] {
  const labels = [...people.values()].flat().flatMap(({ answers }) => answers.map(({ label }) => label));
  return [...new Set(labels)];
}

const signerOf = ({ id, type, status, name }: DirectoryRow): ExportedParticipantRow => ({
  waiver_id: id,
  name: type === "signed" && status !== "erased" ? name : "",
  kind: "adult",
  birth_date: null,
  flags: [],
  answers: [],
});

function participantCells(
  { name, kind, birth_date, flags, answers }: ExportedParticipantRow,
  columns: ParticipantColumns,
  labels: string[],
): string[] {
  const kindText = kind === "minor" ? "Minor" : "Adult";
  return [
    name,
    ...(columns.birthDates ? [name && kindText, birth_date ?? ""] : []),
    ...(columns.flags ? [flags.join(", ")] : []),
    ...labels.map((label) =>
      answers
        .filter((question) => question.label === label)
        .map(answerCell)
        .join("; "),
    ),
  ];
}

type AnsweredQuestion = ExportedParticipantRow["answers"][number];

/** A date stays in the format 2026-05-01, because spreadsheets understand it. */
function answerCell({ answer, ...question }: AnsweredQuestion): string {
  const isDate = question.kind === "date" || question.kind === "birth_date";
  return isDate ? String(answer) : answerText(question, toAnswer(answer));
}
