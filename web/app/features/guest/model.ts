import type { ErasureRequestRow, MyCompanyRow, MyWaiverRow } from "~/lib/database";

export type MyWaivers = { unsigned: MyWaiverRow[]; signed: MyWaiverRow[] };

/**
 * Separates signed waivers, including revoked ones, from unsigned ones. Pending waivers come before expired ones.
 * Within each kind, the newest waiver comes first.
 */
export function groupWaivers(rows: MyWaiverRow[]): MyWaivers {
  const unsigned = rows.filter((row) => !isSigned(row)).toSorted(byNewest);
  return {
    unsigned: [
      ...unsigned.filter(({ status }) => status === "pending"),
      ...unsigned.filter(({ status }) => status === "expired"),
    ],
    signed: rows.filter(isSigned).toSorted(byNewest),
  };
}

const isSigned = ({ status }: MyWaiverRow) => status === "signed" || status === "revoked";

const byNewest = (a: MyWaiverRow, b: MyWaiverRow) => timeOf(b) - timeOf(a);

const timeOf = ({ signed_at, sent_at }: MyWaiverRow) => Date.parse(signed_at ?? sent_at);

export type ErasureRequest = Omit<ErasureRequestRow, "email" | "note">;

/** A company for which a guest has signed waivers, or which has erased them, with the guest's newest request. */
export type ErasureRow = MyCompanyRow & { request: ErasureRequest | undefined };

/** Companies that have erased everything come last. `requests` are sorted by time, newest first. */
export function erasureRows(companies: MyCompanyRow[], requests: ErasureRequest[]): ErasureRow[] {
  const newest = new Map(requests.toReversed().map((request) => [request.company_id, request]));
  const current = companies.map((company) => ({ ...company, request: newest.get(company.company_id) }));
  const ids = new Set(companies.map(({ company_id }) => company_id));
  const former = [...newest.values()]
    .filter(({ company_id }) => !ids.has(company_id))
    .map((request) => ({ ...request, waiver_count: 0, request }));
  return [...current, ...former];
}
