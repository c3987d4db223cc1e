import { apiClient } from "~/lib/api";
import { aVerdict, isPdf, LARGEST, NOT_A_PDF, type Verdict } from "../model";

/** A file, or the id a printed link names. */
export type Question = File | { waiverId: string };

export class TooLarge extends Error {}

export async function verifyDocument(question: Question): Promise<Verdict> {
  if (question instanceof File) {
    if (question.size > LARGEST) throw new TooLarge("The file is larger than 10 MB.");
    if (!(await isPdf(question))) return NOT_A_PDF;
    return ask(question);
  }
  if (!isId(question.waiverId)) return { state: "unknown", on_record: false };
  return ask({ waiver_id: question.waiverId });
}

async function ask(body: File | { waiver_id: string }): Promise<Verdict> {
  const supabase = await apiClient();
  const { data, error } = await supabase.functions.invoke<unknown>("verify-document", { body });
  if (error) throw error;
  return aVerdict.parse(data);
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
