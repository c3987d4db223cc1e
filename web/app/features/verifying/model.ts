import * as z from "~/lib/zod";

/** The service returns a verdict on a file or on the waiver of a printed link. The verdict names no one. */
export const verdictSchema = z.object({
  state: z.enum([
    "unchanged",
    "changed",
    "foreign",
    "unsealed",
    "unreadable",
    "on_record",
    "erased",
    "preparing",
    "failed",
    "unknown",
  ]),
  on_record: z.boolean().default(false),
  history: z.enum(["intact", "broken", "unchecked"]).optional(),
  head_signed_at: z.string().nullish(),
  head_timestamp: z.enum(["none", "pending", "confirmed"]).nullish(),
  head_timestamped_at: z.string().nullish(),
  revoked_at: z.string().nullish(),
  erased_at: z.string().nullish(),
  sealed_at: z.string().nullish(),
  timestamped_at: z.string().nullish(),
  document_sha256: z.string().nullish(),
});
export type Verdict = z.infer<typeof verdictSchema>;

export type VerdictText = { tone: "good" | "doubtful" | "bad"; title: string; text: string };

export const NOT_A_PDF: Verdict = { state: "unreadable", on_record: false };

/** The service does not accept larger files. */
export const MAX_FILE_BYTES = 10_000_000;

/** The marker of a PDF may be preceded by other bytes, so the whole first kilobyte is searched for it. */
export async function isPdf(file: Blob): Promise<boolean> {
  return (await file.slice(0, 1024).text()).includes("%PDF-");
}

export function describeVerdict(verdict: Verdict): VerdictText {
  if (verdict.state === "unchanged") return describeSealed(verdict);
  if (verdict.state === "on_record" && verdict.revoked_at) return REVOKED_ON_RECORD;
  return VERDICT_TEXTS[verdict.state];
}

function describeSealed({ on_record: isOnRecord, history, revoked_at }: Verdict): VerdictText {
  if (!isOnRecord)
    return {
      tone: "doubtful",
      title: "Sealed and unchanged, but not on record",
      text: "The seal is ours and nothing was changed since, but no such document is on record here.",
    };
  if (history === "broken")
    return {
      tone: "doubtful",
      title: "The file is unchanged, its history is not",
      text: "This is the document that was sealed, but the events recorded around it no longer agree with each other.",
    };
  if (revoked_at)
    return {
      tone: "doubtful",
      title: "Sealed and unchanged, but revoked",
      text: "This is the signed record exactly as it was sealed. The company revoked it later; ask the company why.",
    };
  return {
    tone: "good",
    title: "Sealed and unchanged",
    text: "This is the signed record exactly as it was sealed. Nothing in it was changed since.",
  };
}

const REVOKED_ON_RECORD: VerdictText = {
  tone: "doubtful",
  title: "This waiver is on record, but revoked",
  text: "Its sealed document is stored here. The company revoked the waiver later; ask the company why.",
};

const VERDICT_TEXTS: Record<Exclude<Verdict["state"], "unchanged">, VerdictText> = {
  changed: {
    tone: "bad",
    title: "This document was changed",
    text: "It was sealed here and altered afterwards. Do not rely on this copy; ask the company for the original.",
  },
  foreign: {
    tone: "bad",
    title: "Not our document",
    text: "It carries a seal, but not one of this service.",
  },
  unsealed: {
    tone: "bad",
    title: "Not a sealed document",
    text: "It carries no seal, so it cannot show whether it was changed. A printed and scanned copy loses its seal too.",
  },
  unreadable: {
    tone: "bad",
    title: "Not a document we can read",
    text: "This is not a PDF, or the file was damaged.",
  },
  on_record: {
    tone: "good",
    title: "This waiver is on record",
    text: "Its sealed document is stored here. To know whether your copy is that document, check the file itself below.",
  },
  erased: {
    tone: "doubtful",
    title: "This waiver was erased",
    text: "It was signed here and erased later, as the company decided. Its history is kept: a copy of the document can still be checked below.",
  },
  preparing: {
    tone: "doubtful",
    title: "Document being prepared",
    text: "The waiver is signed and stored. Its sealed document is not ready yet.",
  },
  failed: {
    tone: "doubtful",
    title: "No document of this waiver",
    text: "The waiver is signed and stored, but its text is too long for a PDF. Ask the company for the record.",
  },
  unknown: {
    tone: "bad",
    title: "Not on record",
    text: "No waiver with this link is on record here.",
  },
};

const utcFormat = new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

/** Returns names and values in display order, without the missing values. */
export function verdictDetails(verdict: Verdict): [name: string, value: string][] {
  const stamp = verdict.timestamped_at ? inUtc(verdict.timestamped_at) : "none";
  const details: [string, string | null | undefined][] = [
    ["Sealed", verdict.sealed_at && inUtc(verdict.sealed_at)],
    ["Revoked", verdict.revoked_at && inUtc(verdict.revoked_at)],
    ["External timestamp", verdict.state === "unchanged" ? stamp : null],
    ["History signed", verdict.head_signed_at && inUtc(verdict.head_signed_at)],
    ["History", verdict.history === "unchecked" ? "not checked completely, because it is too long" : null],
    ["Timestamp of the history", historyTimestamp(verdict)],
    ["SHA-256", verdict.document_sha256],
  ];
  return details.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []));
}

/** Says when a timestamp authority confirmed the history. Until it has answered, no time is shown. */
function historyTimestamp(verdict: Verdict): string | null {
  if (verdict.head_timestamped_at) return inUtc(verdict.head_timestamped_at);
  return verdict.head_timestamp === "pending" ? "requested, not confirmed yet" : null;
}

function inUtc(time: string): string {
  return `${utcFormat.format(new Date(time))} UTC`;
}
