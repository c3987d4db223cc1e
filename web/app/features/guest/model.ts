import type { MyWaiverRow } from "~/lib/database";

/** `pending` also contains the expired waivers. */
export type MyWaivers = { pending: MyWaiverRow[]; signed: MyWaiverRow[] };

/** Separates signed waivers from unsigned ones. Pending waivers precede expired ones. Each kind is sorted newest first. */
export function groupWaivers(rows: MyWaiverRow[]): MyWaivers {
  const unsigned = rows.filter(({ status }) => status !== "signed").toSorted(byNewest);
  return {
    pending: [
      ...unsigned.filter(({ status }) => status === "pending"),
      ...unsigned.filter(({ status }) => status === "expired"),
    ],
    signed: rows.filter(({ status }) => status === "signed").toSorted(byNewest),
  };
}

const byNewest = (a: MyWaiverRow, b: MyWaiverRow) => timeOf(b) - timeOf(a);

const timeOf = ({ signed_at, sent_at }: MyWaiverRow) => Date.parse(signed_at ?? sent_at);
