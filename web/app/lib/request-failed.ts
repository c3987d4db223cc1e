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
