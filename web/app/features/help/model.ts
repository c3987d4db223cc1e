import * as z from "~/lib/zod";

const tooLong = (length: number) => `Please use at most ${length} characters`;
/** Matches a whole id, its first eight characters, or nothing. */
const WAIVER_ID = /^([0-9a-f]{8}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i;

/** The server checks the same rules. */
export const supportMessageSchema = z.object({
  subject: z.string().trim().min(1, "Please say in a few words what it is about").max(200, tooLong(200)),
  message: z.string().trim().min(1, "Please write your message").max(5000, tooLong(5000)),
  waiver: z.string().trim().regex(WAIVER_ID, "Please enter the id of one waiver, such as 3f2a9c1e"),
});
export type SupportMessage = z.infer<typeof supportMessageSchema>;

export const EMPTY_MESSAGE: SupportMessage = { subject: "", message: "", waiver: "" };

export const isField = (name: string | undefined): name is keyof SupportMessage =>
  name !== undefined && Object.hasOwn(EMPTY_MESSAGE, name);
