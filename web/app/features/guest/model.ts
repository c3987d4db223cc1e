import type { MyWaiverRow } from "~/lib/database";

export type MyWaivers = { pending: MyWaiverRow[]; signed: MyWaiverRow[] };

/** Pending waivers first and expired ones after them, each newest first; signed waivers separately. */
export function groupWaivers(rows: MyWaiverRow[]): MyWaivers {
  const open = rows.filter(({ status }) => status !== "signed").toSorted(byNewest);
  return {
    pending: [
      ...open.filter(({ status }) => status === "pending"),
      ...open.filter(({ status }) => status === "expired"),
    ],
    signed: rows.filter(({ status }) => status === "signed").toSorted(byNewest),
  };
}

const byNewest = (a: MyWaiverRow, b: MyWaiverRow) => timeOf(b) - timeOf(a);

const timeOf = ({ signed_at, sent_at }: MyWaiverRow) => Date.parse(signed_at ?? sent_at);
