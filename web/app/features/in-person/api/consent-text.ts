import { useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import type { ConsentTextRow } from "~/lib/database";
import { unwrap } from "~/lib/request";

/** Reads the newest text that a guest agrees to before signing electronically. It is null if there is none. */
export async function fetchConsentText(): Promise<ConsentTextRow | null> {
  const { rest } = await apiClient();
  const texts = await unwrap(
    rest
      .from("consent_texts")
      .select("version, language, text")
      .eq("language", "en")
      .order("version", { ascending: false })
      .limit(1),
  );
  return texts[0] ?? null;
}

export const useConsentText = (enabled: boolean) =>
  useQuery({ queryKey: ["consent-text"], queryFn: fetchConsentText, enabled, retry: 1, staleTime: Infinity });
