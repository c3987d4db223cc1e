import { useQuery } from "@tanstack/react-query";
import type { SentWaiverRow } from "~/lib/database";
import { keep } from "~/lib/browser-cache";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import { cachedRecord } from "../record";

const SHOWN = 5;

/** A mail still on its way is looked at again until its fate is known. */
export const useSentWaivers = () =>
  useQuery({
    queryKey: ["sent-waivers"],
    queryFn: fetchSentWaivers,
    refetchInterval: ({ state }) =>
      state.data?.some((row) => row.email_status === "sending") ? 3_000 : false,
  });

async function fetchSentWaivers(): Promise<SentWaiverRow[]> {
  const supabase = await connect();
  const rows = await take(
    supabase.rest
      .from("sent_waivers")
      .select(
        "id, session_id, template_id, template_name, template_content, recipient_name, recipient_email, status, sent_as_pdf, email_status, email_message_id, email_error, sent_at",
      )
      .order("sent_at", { ascending: false })
      .limit(SHOWN),
  );
  keep("sentWaivers", rows.map(cachedRecord));
  return rows;
}
