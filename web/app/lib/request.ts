import type { PostgrestSingleResponse } from "@supabase/postgrest-js";

import { unreachableMessage } from "./reach";
import { refusalCode, refusalText } from "./refusals";

/** A failed request. The status decides whether a retry makes sense; it is 0 when the server was not reached. */
export class RequestFailed extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    /** The stable code, if the server refused the request in SQL. */
    readonly refusal?: string,
  ) {
    super(message);
  }
}

/** Returns the data or throws the error: the client library returns errors, but the query cache expects them thrown. */
export async function unwrap<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const response = await call;
  if (response.error) {
    const { code, details, message } = response.error;
    const text = response.status === 0 ? unreachableMessage() : (refusalText(details) ?? message);
    throw new RequestFailed(text, response.status, code, refusalCode(details));
  }
  return response.data;
}
