import type { PostgrestSingleResponse } from "@supabase/postgrest-js";

import { unreachableMessage } from "./reach";

/** A failed request. The status decides whether a retry makes sense; it is 0 when the server was not reached. */
export class RequestFailed extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(message);
  }
}

/** Returns the data or throws the error: the client library returns errors, but the query cache expects them thrown. */
export async function unwrap<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const response = await call;
  if (response.error) {
    const message = response.status === 0 ? unreachableMessage() : response.error.message;
    throw new RequestFailed(message, response.status, response.error.code);
  }
  return response.data;
}
