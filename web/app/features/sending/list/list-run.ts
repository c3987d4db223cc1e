import * as z from "~/lib/zod";
import { newId } from "~/lib/new-id";
import { outcomeSchema, type Outcome } from "../model";
import { needsAttention, type Listed, type ListRow } from "./build-rows";

const listedSchema = z.object({
  number: z.number(),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
});

const rowSchema = listedSchema.extend({
  /** The browser chooses these ids, so that a repeated request neither creates nor sends anything a second time. */
  sessionId: z.string(),
  sendingId: z.string(),
  idempotencyKey: z.string(),
  /** Whether the server has stored the waiver. It may have refused to send it afterwards. */
  isStored: z.boolean(),
  /** This is null until the outcome is known. */
  outcome: outcomeSchema.nullable(),
});
export type RunRow = z.infer<typeof rowSchema>;

const unsentSchema = listedSchema.extend({ reason: z.string() });
/** A row of the list that was marked in the preview and therefore not sent. */
export type UnsentRow = z.infer<typeof unsentSchema>;

const runSchema = z.object({
  userId: z.string(),
  companyId: z.string(),
  templateId: z.string(),
  templateName: z.string(),
  message: z.string(),
  asPdf: z.boolean(),
  rows: z.array(rowSchema),
  unsent: z.array(unsentSchema),
});
/** A list that is being sent. The browser stores it until the user has seen the outcome. */
export type ListRun = z.infer<typeof runSchema>;

export const parseRun = (stored: unknown): ListRun | null => runSchema.safeParse(stored).data ?? null;

type NewRun = Omit<ListRun, "rows" | "unsent"> & { rows: ListRow[] };

/** Only rows that are ready are sent. The marked rows are kept with their reason, so that they can be fixed afterwards. */
export const newRun = ({ rows, ...fields }: NewRun): ListRun => ({
  ...fields,
  rows: rows.filter(({ state }) => state === "ready").map(newRow),
  unsent: rows
    .filter(needsAttention)
    .map(({ number, name, email, phone, reason = "" }) => ({ number, name, email, phone, reason })),
});

const newRow = ({ number, name, email, phone }: Listed & { number: number }): RunRow => ({
  number,
  name,
  email,
  phone,
  ...newIds(),
  isStored: false,
  outcome: null,
});

const newIds = () => ({ sessionId: newId(), sendingId: newId(), idempotencyKey: newId() });

export const isFailed = ({ outcome }: RunRow): boolean => outcome?.result === "failed";

/** Returns the run with another state of one row. */
export const withRow = (run: ListRun, changed: RunRow): ListRun => ({
  ...run,
  rows: run.rows.map((row) => (row.number === changed.number ? changed : row)),
});

/**
 * Returns the run in which the failed rows are sent again. If the server has recorded that an email failed, the next one
 * needs another key. Such a row has got its new key already.
 */
export const withFailedRowsAgain = (run: ListRun): ListRun => ({
  ...run,
  rows: run.rows.map((row) => (isFailed(row) ? { ...row, outcome: null } : row)),
});

/** Returns the row with another recipient, which is sent as a new waiver. */
export const withRecipient = (row: RunRow, listed: Listed): RunRow => ({
  ...row,
  ...listed,
  ...newIds(),
  isStored: false,
  outcome: null,
});

export type RunCounts = {
  total: number;
  done: number;
  sent: number;
  sending: number;
  kept: number;
  failed: number;
};

export function countRows({ rows }: ListRun): RunCounts {
  const count = (result: Outcome["result"]) =>
    rows.filter(({ outcome }) => outcome?.result === result).length;
  const counts = {
    sent: count("sent"),
    sending: count("sending"),
    kept: count("kept"),
    failed: count("failed"),
  };
  const done = counts.sent + counts.sending + counts.kept + counts.failed;
  return { total: rows.length, done, ...counts };
}

export const isFinished = (run: ListRun): boolean => run.rows.every(({ outcome }) => outcome !== null);

const people = (count: number): string => (count === 1 ? "1 person" : `${count} people`);

/** Summarizes the outcomes, for the heading of the results. */
export function runTitle(run: ListRun): string {
  const { total, done, sent, sending, kept, failed } = countRows(run);
  if (done < total) return `${done} of ${total} done`;
  if (failed > 0) return `${failed} of ${people(total)} did not get the waiver`;
  if (kept > 0) return `Ready for ${people(total)}, not mailed`;
  return sending > 0
    ? `Sent to ${sent} of ${people(total)}, ${sending} on the way`
    : `Sent to ${people(total)}`;
}
