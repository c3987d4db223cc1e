import type { MyWaiverRow } from "~/lib/database";

/** `pending` also contains the expired waivers. */
export type MyWaivers = { pending: MyWaiverRow[]; signed: MyWaiverRow[] };

/**
 * Separates signed waivers, also revoked ones, from unsigned ones. Pending waivers precede expired ones. Each kind is
 * sorted newest first.
 */
export function groupWaivers(rows: MyWaiverRow[]): MyWaivers {
  const unsigned = rows.filter((row) => !isSigned(row)).toSorted(byNewest);
  return {
    pending: [
      ...unsigned.filter(({ status }) => status === "pending"),
      ...unsigned.filter(({ status }) => status === "expired"),
    ],
    signed: rows.filter(isSigned).toSorted(byNewest),
  };
}

const isSigned = ({ status }: MyWaiverRow) => status === "signed" || status === "revoked";

const byNewest = (a: MyWaiverRow, b: MyWaiverRow) => timeOf(b) - timeOf(a);

const timeOf = ({ signed_at, sent_at }: MyWaiverRow) => Date.parse(signed_at ?? sent_at);
