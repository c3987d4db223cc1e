import { RECEIPT_PREFIX } from "./keep-receipt";
import type { Submission } from "./submission";

/** This is what a guest keeps on their own device after signing. The secret opens the document for a day. */
export type KeptReceipt = {
  waiver: Pick<
    Submission["waiver"],
    "id" | "session_id" | "document_secret" | "template_name" | "signer_name"
  >;
  company: string;
  keptAt: number;
};

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the receipts of the last day, the newest first, and removes older ones. */
export function keptReceipts(): KeptReceipt[] {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(RECEIPT_PREFIX));
    const receipts = names.map((name) => parseReceipt(localStorage.getItem(name) ?? "[]"));
    for (const { waiver, keptAt } of receipts) if (isOld(keptAt)) dropReceipt(waiver.id);
    return receipts.filter(({ keptAt }) => !isOld(keptAt)).toSorted((a, b) => b.keptAt - a.keptAt);
  } catch {
    // The storage is disabled.
    return [];
  }
}

export function dropReceipt(waiverId: string): void {
  localStorage.removeItem(RECEIPT_PREFIX + waiverId);
}

const isOld = (keptAt: number): boolean => Date.now() - keptAt >= DAY_MS;

/** The order of the fields is the one of `keepReceipt`. */
function parseReceipt(json: string): KeptReceipt {
  const [id, session_id, document_secret, template_name, signer_name, company, keptAt] = JSON.parse(json);
  return { waiver: { id, session_id, document_secret, template_name, signer_name }, company, keptAt };
}
