import type { ApiClient } from "~/lib/api";
import { unwrap } from "~/lib/request";
import { RequestFailed } from "~/lib/request-failed";
import type { SessionToSign } from "./session-to-sign";

/** Says whether the server refused to create the session or did not respond. */
export class SessionNotCreated extends Error {
  constructor(readonly isRefused: boolean) {
    super("The session could not be created.");
  }
}

const DUPLICATE_KEY = "23505";

/** Creates the session of the guest who signs. A retry finds it already there, because the id stays the same. */
export async function createSession(supabase: ApiClient, session: SessionToSign): Promise<void> {
  const { id, template_id, template_content } = session;
  try {
    await unwrap(
      supabase.rest
        .from("waiver_sessions")
        .insert({ id, template_id, status: "pending", template_content })
        .select("id")
        .single(),
    );
  } catch (error) {
    const isRefused = error instanceof RequestFailed && error.status > 0;
    if (isRefused && error.code === DUPLICATE_KEY) return;
    throw new SessionNotCreated(isRefused);
  }
}
