import { apiClient } from "~/lib/api";
import { verdictSchema, isPdf, MAX_FILE_BYTES, NOT_A_PDF, type Verdict } from "../model";

/** The user verifies a file, or opens a printed link that contains the id of a waiver. */
export type VerifyRequest = File | { waiverId: string };

export class FileTooLarge extends Error {}

export async function verifyDocument(request: VerifyRequest): Promise<Verdict> {
  if (request instanceof File) {
    if (request.size > MAX_FILE_BYTES) throw new FileTooLarge("The file is larger than 10 MB.");
    if (!(await isPdf(request))) return NOT_A_PDF;
    return fetchVerdict(request);
  }
  if (!isUuid(request.waiverId)) return { state: "unknown", on_record: false };
  return fetchVerdict({ waiver_id: request.waiverId });
}

async function fetchVerdict(body: File | { waiver_id: string }): Promise<Verdict> {
  const supabase = await apiClient();
  const { data, error } = await supabase.functions.invoke<unknown>("verify-document", { body });
  if (error) throw error;
  return verdictSchema.parse(data);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
