import type { PostgrestSingleResponse } from "@supabase/postgrest-js";

import { unreachableMessage } from "./connection";
import { RequestFailed } from "./request-failed";

/** Returns the data or throws the error. The client library returns errors, but the query cache expects exceptions. */
export async function unwrap<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const response = await call;
  if (response.error) {
    const { code, details, message } = response.error;
    // The texts are loaded when the first request is refused. Without them, the server's own message is shown.
    const refusals = response.status === 0 ? null : await import("./refusals").catch(() => null);
    const text = response.status === 0 ? unreachableMessage() : (refusals?.refusalText(details) ?? message);
    throw new RequestFailed(text, response.status, code, refusals?.refusalCode(details), details);
  }
  return response.data;
}
