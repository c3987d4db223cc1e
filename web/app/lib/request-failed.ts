/**
 * This error is thrown if a request fails. The status decides whether the query client repeats the request. It is 0 if
 * the server was not reached.
 */
export class RequestFailed extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    /** If the server refused the request in SQL, this is the stable code of the refusal. */
    readonly refusal?: string,
    /** What the server returned in addition to the message, for example which question of a form it refused. */
    readonly details?: unknown,
  ) {
    super(message);
  }
}
