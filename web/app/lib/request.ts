import type { PostgrestSingleResponse } from "@supabase/postgrest-js";

import { unreachableMessage } from "./reach";

/** A refusal or failure of the server, with the status that decides whether asking again makes sense. */
export class RequestFailed extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
  ) {
    super(message);
  }
}

/** The client answers errors instead of throwing them; the query cache wants them thrown. */
export async function unwrap<Data>(call: PromiseLike<PostgrestSingleResponse<Data>>): Promise<Data> {
  const answer = await call;
  if (answer.error) {
    const message = answer.status === 0 ? unreachableMessage() : answer.error.message;
    throw new RequestFailed(message, answer.status, answer.error.code);
  }
  return answer.data;
}
