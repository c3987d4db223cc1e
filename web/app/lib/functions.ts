import * as z from "zod";
import { RequestBlocked } from "./blocked";
import { unreachableMessage } from "./reach";
import { RequestFailed } from "./request";
import { apiClient } from "./api";

const refusal = z.object({
  error: z.string(),
  code: z.string().default(""),
  field: z.string().optional(),
  reason: z.string().optional(),
  provider: z.string().optional(),
});

export type ErrorParameters = Pick<z.infer<typeof refusal>, "field" | "reason" | "provider">;

/** What a function refused, and what it said about it. */
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

/** The client answers errors instead of throwing them, and keeps what the server said to itself. */
export async function callFunction(name: string, body: object = {}): Promise<unknown> {
  const { functions } = await apiClient();
  const { data, error } = await functions.invoke<unknown>(name, { body });
  if (!error) return data;
  const response: unknown = "context" in error ? error.context : null;
  if (response instanceof RequestBlocked) throw response;
  if (!(response instanceof Response)) throw new Error(unreachableMessage(), { cause: error });
  const { data: told } = refusal.safeParse(await response.json().catch(() => null));
  if (!told) throw new RequestFailed(`The server answered with ${response.status}.`, response.status, "");
  const { error: message, code, ...parameters } = told;
  throw new FunctionFailed(message, response.status, code, parameters);
}
