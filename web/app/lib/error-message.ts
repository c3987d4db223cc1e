import { unreachableMessage } from "./connection";

/** Returns the text to show for a caught error. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error && isNetworkFailure(error)) return unreachableMessage();
  return (error instanceof Error && error.message) || "An unexpected error occurred";
}

/** The auth client reports every 5xx as a network failure, but a 500 has a message from the server. */
function isNetworkFailure(error: Error): boolean {
  return error.name === "AuthRetryableFetchError" && !("status" in error && error.status === 500);
}
