import type { MyWaiverRow } from "~/lib/database";

export type MyWaivers = { pending: MyWaiverRow[]; signed: MyWaiverRow[] };

/** What is to be done first, the newest first; what has expired can no longer be done and comes last. */
export function sorted(rows: MyWaiverRow[]): MyWaivers {
  const open = rows.filter(({ status }) => status !== "signed").toSorted(byNewest);
  return {
    pending: [
      ...open.filter(({ status }) => status === "pending"),
      ...open.filter(({ status }) => status === "expired"),
    ],
    signed: rows.filter(({ status }) => status === "signed").toSorted(byNewest),
  };
}

const byNewest = (one: MyWaiverRow, other: MyWaiverRow) => momentOf(other) - momentOf(one);

const momentOf = ({ signed_at, sent_at }: MyWaiverRow) => Date.parse(signed_at ?? sent_at);
