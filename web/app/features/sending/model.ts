import * as z from "~/lib/zod";
import type { TemplateRow } from "~/lib/database";
import { greeting } from "./greeting";

export type SendableTemplate = Pick<TemplateRow, "id" | "name" | "content"> & {
  /** A sample belongs to no company, so a link to it has to name the company that sends it. */
  isSample?: boolean;
};
export type Recipient = {
  firstName: string;
  lastName: string;
  email: string;
  /** The link is also sent to this number as a text message. */
  phone?: string;
  message: string;
  asPdf: boolean;
};

/** The dialog shows this text. */
export const MISSING_FIELDS = "Please provide first name, last name, and email";
export const INVALID_EMAIL = "This email address is not complete.";
/** Sending fails with this reason if the dialog let an incomplete recipient through. */
export const RECIPIENT_REQUIRED = "Recipient first name, last name, and email are required.";
export const NOT_SENT_OFFLINE = "No connection, so nothing was sent. What you typed stays here.";

export function isComplete({ firstName, lastName, email }: Recipient): boolean {
  return [firstName, lastName, email].every((field) => field.trim() !== "");
}

export function fullName({ firstName, lastName }: Recipient): string {
  return `${firstName.trim()} ${lastName.trim()}`.trim();
}

export function composeEmail(
  template: SendableTemplate,
  recipient: Recipient,
  link: string,
): { subject: string; body: string } {
  const paragraphs = [
    greeting(fullName(recipient)),
    recipient.message.trim(),
    recipient.asPdf
      ? `The waiver "${template.name}" is attached as a PDF to read and fill in. To sign it, open its link on any device:`
      : `Please read and sign the waiver "${template.name}" before your activity. You can do it on any device:`,
    link,
    "You do not need an account.",
  ];
  return { subject: `Please sign: ${template.name} Waiver`, body: paragraphs.filter(Boolean).join("\n\n") };
}

const textSchema = z
  .object({ status: z.enum(["sending", "delivered", "failed"]), error: z.string().nullable() })
  .optional();
/** This is the outcome of the text message that accompanies an email. */
export type TextOutcome = z.infer<typeof textSchema>;

export const outcomeSchema = z.discriminatedUnion("result", [
  z.object({ result: z.enum(["sent", "sending", "kept"]), text: textSchema }),
  z.object({
    result: z.literal("failed"),
    reason: z.string(),
    isBlocked: z.boolean().optional(),
    text: textSchema,
  }),
]);
/**
 * `kept` means that the email was saved in Email History and not delivered, for example because there is no
 * mail server.
 */
export type Outcome = z.infer<typeof outcomeSchema>;

export function parseOutcome(stored: unknown): Outcome | null {
  return outcomeSchema.safeParse(stored).data ?? null;
}

const responseSchema = z.object({
  id: z.string(),
  status: z.enum(["delivered", "sending", "kept"]),
  text: textSchema,
});

export function parseSendResponse(data: unknown): Outcome {
  const { data: response } = responseSchema.safeParse(data);
  if (!response) return { result: "failed", reason: "No response data from email service" };
  return {
    result: response.status === "delivered" ? "sent" : response.status,
    ...(response.text && { text: response.text }),
  };
}

/** The text message may have been sent even if the email was refused. */
export function parseTextOutcome(body: unknown): { text?: TextOutcome } {
  const text = z.object({ text: textSchema }).safeParse(body).data?.text;
  return text ? { text } : {};
}

/** Returns the server's message, if it sent one. */
export function failureReason(status: number, body: unknown): string {
  const { data } = z
    .object({ error: z.union([z.string(), z.object({ message: z.string() })]) })
    .safeParse(body);
  if (!data) return `Failed to send email: ${status}`;
  return typeof data.error === "string" ? data.error : data.error.message;
}

/** Returns the stable code of a refusal, or an empty text. */
export const failureCode = (body: unknown): string =>
  z.object({ code: z.string() }).safeParse(body).data?.code ?? "";

type Allowance = { perDay: number | null; sentToday: number; needsConfirmedAddress: boolean };

/** Returns undefined if nothing is limited. */
export function allowanceSentence({ perDay, sentToday, needsConfirmedAddress }: Allowance) {
  if (perDay === null) return undefined;
  const left = Math.max(perDay - sentToday, 0);
  const sentence =
    left === 0
      ? `You have sent ${perDay} emails today. You can send more tomorrow.`
      : `You can send ${left} more email${left === 1 ? "" : "s"} today.`;
  return needsConfirmedAddress
    ? `${sentence} Confirm your email address with the link we sent you to send more and to add a message.`
    : sentence;
}

export const NOT_DELIVERED = "Saved in Email History; not delivered to anyone.";

export function outcomeToast(outcome: Outcome, asPdf = false) {
  const waiver = asPdf ? "PDF Waiver" : "Waiver";
  const withTextOutcome = (sentence = "") => {
    const description = [sentence, describeTextOutcome(outcome.text)].filter(Boolean).join(" ");
    return description ? { description } : {};
  };
  switch (outcome.result) {
    case "sent":
      return { title: `${waiver} Sent Successfully`, ...withTextOutcome() };
    case "sending":
      return {
        title: "Waiver Is Being Sent",
        ...withTextOutcome("Email History shows when it has been delivered."),
      };
    case "kept":
      return { title: "Waiver Ready, Not Mailed", ...withTextOutcome(NOT_DELIVERED) };
    case "failed":
      return {
        title: `Failed to Send ${waiver}`,
        ...withTextOutcome(`Error: ${outcome.reason}`),
        destructive: true,
      };
  }
}

/** "Sent" means that the gateway accepted the message. Whether the phone received it is unknown. */
export function describeTextOutcome(outcome: TextOutcome): string {
  switch (outcome?.status) {
    case "delivered":
      return "The text message was sent.";
    case "sending":
      return "The text message is on its way.";
    case "failed":
      return `The text message was not sent: ${outcome.error ?? "unknown reason"}`;
    case undefined:
      return "";
  }
}
