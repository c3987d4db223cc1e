import type { PostgrestSingleResponse } from "@supabase/postgrest-js";

import { unreachableMessage } from "./connection";
import { RequestFailed } from "./request-failed";
import { refusalCode, refusalText } from "./refusals";

/** Returns the data or throws the error. The client library returns errors, but the query cache expects exceptions. */
export async function unwrap<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const response = await call;
  if (response.error) {
    const { code, details, message } = response.error;
    const text = response.status === 0 ? unreachableMessage() : (refusalText(details) ?? message);
    throw new RequestFailed(text, response.status, code, refusalCode(details));
  }
  return response.data;
}
