import { apiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import type { DirectoryRow } from "../model";
import { participantLines, type ExportedPeople, type ParticipantColumns } from "../participants-csv";

/** The server cuts off the rows after this many. */
const MAX_ROWS = 1_000;
/** A waiver has at most 31 participants, so this number of waivers has fewer rows than `MAX_ROWS`. */
const WAIVERS_AT_ONCE = 32;

/** Returns the header and the lines of a CSV file with one row for each participant of these waivers. */
export async function fetchParticipantLines(
  rows: DirectoryRow[],
  columns: ParticipantColumns,
  signal: AbortSignal,
) {
  const signed = rows.filter(({ type }) => type === "signed");
  const people: ExportedPeople = new Map();
  for (let start = 0; start < signed.length; start += WAIVERS_AT_ONCE) {
    // The requests are sent one after the other, so that an export does not slow down the server for others.
    // oxlint-disable-next-line no-await-in-loop
    await addPeople(people, signed.slice(start, start + WAIVERS_AT_ONCE), columns, signal);
  }
  return participantLines(rows, people, columns);
}

async function addPeople(
  people: ExportedPeople,
  rows: DirectoryRow[],
  { sensitive }: ParticipantColumns,
  signal: AbortSignal,
): Promise<void> {
  const { rest } = await apiClient();
  const participants = await unwrap(
    rest
      .rpc("participants_for_export", { waiver_ids: rows.map(({ id }) => id), with_sensitive: sensitive })
      .abortSignal(signal),
  );
  if (participants.length >= MAX_ROWS) throw new Error("The server may have cut off participants");
  for (const participant of participants) {
    const others = people.get(participant.waiver_id);
    if (others) others.push(participant);
    else people.set(participant.waiver_id, [participant]);
  }
}
