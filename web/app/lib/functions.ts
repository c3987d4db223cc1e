import * as z from "zod";
import { apiClient } from "./api";
import { RequestBlocked } from "./blocked";
import { unreachableMessage } from "./reach";
import { RequestFailed } from "./request-failed";

const errorPayload = z.object({
  error: z.string(),
  code: z.string().default(""),
  field: z.string().optional(),
  reason: z.string().optional(),
  provider: z.string().optional(),
});

export type ErrorParameters = Pick<z.infer<typeof errorPayload>, "field" | "reason" | "provider">;

/** An error that a function reported, with its parameters. */
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

/** The client library returns errors without the response body; this throws them with the server's message. */
export async function callFunction(name: string, body: object = {}): Promise<unknown> {
  const { functions } = await apiClient();
  const { data, error } = await functions.invoke<unknown>(name, { body });
  if (!error) return data;
  const response: unknown = "context" in error ? error.context : null;
  if (response instanceof RequestBlocked) throw response;
  if (!(response instanceof Response)) throw new Error(unreachableMessage(), { cause: error });
  const { data: payload } = errorPayload.safeParse(await response.json().catch(() => null));
  if (!payload) throw new RequestFailed(`The server answered with ${response.status}.`, response.status, "");
  const { error: message, code, ...parameters } = payload;
  throw new FunctionFailed(message, response.status, code, parameters);
}
