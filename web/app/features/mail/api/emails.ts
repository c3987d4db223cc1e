import { useQuery } from "@tanstack/react-query";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";

export const useEmails = () =>
  useQuery({
    queryKey: ["emails"],
    queryFn: fetchEmails,
    refetchInterval: ({ state }) => (state.data?.some((email) => email.status === "sending") ? 3_000 : false),
  });

async function fetchEmails() {
  const supabase = await connect();
  return take(
    supabase.rest
      .from("emails")
      .select("id, session_id, recipient, subject, body, status, error, created_at, sent_at")
      .order("created_at", { ascending: false })
      .limit(100),
  );
}
