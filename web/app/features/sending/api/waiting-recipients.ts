import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { apiClient, type ApiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";

/** The addresses are part of the URL, and the server refuses a query string of more than 16,000 bytes. */
const MAX_QUERY_CHARACTERS = 8_000;

/** Finds which of the addresses have received this template and not signed it yet, and when it was sent. */
export function useWaitingRecipients(templateId: string, emails: string[]) {
  return useQuery({
    queryKey: ["waivers", "waiting", templateId, emails],
    queryFn: () => fetchWaiting(templateId, emails),
    enabled: emails.length > 0,
    // The marks stay while one row is being edited.
    placeholderData: keepPreviousData,
  });
}

async function fetchWaiting(templateId: string, emails: string[]): Promise<Map<string, string>> {
  const supabase = await apiClient();
  const parts = await Promise.all(inParts(emails).map((part) => fetchPart(supabase, templateId, part)));
  // If there are several, the newest one comes last and is kept.
  return new Map(parts.flat().map((row) => [row.recipient_email ?? "", row.created_at]));
}

const fetchPart = (supabase: ApiClient, templateId: string, emails: string[]) =>
  unwrap(
    supabase.rest
      .from("waiver_sessions")
      .select("recipient_email, created_at")
      .eq("template_id", templateId)
      .eq("status", "pending")
      .gt("expires_at", new Date().toISOString())
      .in("recipient_email", emails)
      .order("created_at"),
  );

function inParts(emails: string[]): string[][] {
  const parts: string[][] = [];
  let characters = Infinity;
  for (const email of emails) {
    const length = encodeURIComponent(email).length + 8;
    if (characters + length > MAX_QUERY_CHARACTERS) {
      parts.push([]);
      characters = 0;
    }
    parts.at(-1)?.push(email);
    characters += length;
  }
  return parts;
}
