import * as z from "~/lib/zod";
import { apiClient } from "./api";
import { RequestBlocked } from "./blocked";
import { unreachableMessage } from "./connection";
import { RequestFailed } from "./request-failed";

const errorSchema = z.object({
  error: z.string(),
  code: z.string().default(""),
  field: z.string().optional(),
  reason: z.string().optional(),
  provider: z.string().optional(),
});

export type ErrorParameters = Pick<z.infer<typeof errorSchema>, "field" | "reason" | "provider">;

/** This error is thrown if a function responds with an error. The parameters say, for example, which field is invalid. */
export class FunctionFailed extends RequestFailed {
  constructor(
    message: string,
    status: number,
    code: string,
    readonly parameters: ErrorParameters,
  ) {
    super(message, status, code);
  }
}

/** Calls a function. Errors are thrown with the server's message, which the client library does not read. */
export async function callFunction(name: string, body: object = {}): Promise<unknown> {
  const { functions } = await apiClient();
  const { data, error } = await functions.invoke<unknown>(name, { body });
  if (!error) return data;
  // The client library stores the response in `context`, or the error if there was no response.
  const response: unknown = "context" in error ? error.context : null;
  if (response instanceof RequestBlocked) throw response;
  if (!(response instanceof Response)) throw new Error(unreachableMessage(), { cause: error });
  const { data: payload } = errorSchema.safeParse(await response.json().catch(() => null));
  if (!payload) throw new RequestFailed(`The server answered with ${response.status}.`, response.status, "");
  const { error: message, code, ...parameters } = payload;
  throw new FunctionFailed(message, response.status, code, parameters);
}
