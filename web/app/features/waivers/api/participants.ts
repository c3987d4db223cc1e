import { useQuery } from "@tanstack/react-query";
import { apiClient } from "~/lib/api";
import type { ParticipantRow } from "~/lib/database";
import { unwrap } from "~/lib/request";
import { toForm } from "~/lib/waiver-form/parse";
import type { Form } from "~/lib/waiver-form/types";
import { FRESH_FOR_MS, type SignedRecord } from "./signed-waiver";

export type Participant = Pick<ParticipantRow, "id" | "name" | "birth_date" | "kind" | "answers" | "flags">;
export type Participants = { form: Form; people: Participant[] };

/** Fetches the people of a signed waiver and the questions they were asked, or null if the waiver has no form. */
export const useParticipants = ({ id, session_id }: SignedRecord) =>
  useQuery({
    queryKey: ["waivers", "participants", id],
    queryFn: () => fetchParticipants(id, session_id),
    retry: 1,
    staleTime: FRESH_FOR_MS,
  });

async function fetchParticipants(waiverId: string, sessionId: string): Promise<Participants | null> {
  const supabase = await apiClient();
  const sessions = await unwrap(supabase.rest.from("waiver_sessions").select("form").eq("id", sessionId));
  const form = toForm(sessions[0]?.form ?? null);
  if (!form) return null;
  const people = await unwrap(
    supabase.rest
      .from("participants")
      .select("id, name, birth_date, kind, answers, flags")
      .eq("waiver_id", waiverId)
      .order("number"),
  );
  return { form, people };
}
