import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { take } from "~/lib/request";
import { connect } from "~/lib/supabase";
import { toast } from "~/ui/toast-store";
import { pendingRow, signedRow, type DirectoryRow } from "../model";

/** The newest of each kind; a way through all of them comes with search. */
export const DIRECTORY_LIMIT = 200;

export function useDirectory() {
  const directory = useQuery({ queryKey: ["waivers", "directory"], queryFn: fetchDirectory });
  const { isError } = directory;
  useEffect(() => {
    if (isError) toast({ title: "Error", description: "Failed to load waivers", destructive: true });
  }, [isError]);
  return directory;
}

async function fetchDirectory(): Promise<{ rows: DirectoryRow[]; isCut: boolean }> {
  const supabase = await connect();
  const [signed, pending] = await Promise.all([
    take(
      supabase.rest
        .from("signed_waivers")
        .select("id, session_id, template_name, signer_name, signer_email, signed_at")
        .order("signed_at", { ascending: false })
        .limit(DIRECTORY_LIMIT),
    ),
    take(
      supabase.rest
        .from("waiver_sessions")
        .select("id, template_name, recipient_name, recipient_email, created_at, expires_at")
        .eq("status", "pending")
        .order("created_at", { ascending: false })
        .limit(DIRECTORY_LIMIT),
    ),
  ]);
  const now = new Date();
  return {
    rows: [...signed.map(signedRow), ...pending.map((session) => pendingRow(session, now))],
    isCut: signed.length === DIRECTORY_LIMIT || pending.length === DIRECTORY_LIMIT,
  };
}
