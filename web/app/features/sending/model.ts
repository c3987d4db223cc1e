import * as z from "zod";
import type { TemplateRow } from "~/lib/database";

export type Sendable = Pick<TemplateRow, "id" | "name" | "content">;
export type Recipient = {
  firstName: string;
  lastName: string;
  email: string;
  /** Where the link also goes as a text message. */
  phone?: string;
  message: string;
  asPdf: boolean;
};

export const INCOMPLETE = "Please provide first name, last name, and email";
export const NO_ADDRESS = "This email address is not complete.";
export const REFUSED = "Recipient first name, last name, and email are required.";
export const UNSENT = "No connection, so nothing was sent. What you typed stays here.";

export function isComplete({ firstName, lastName, email }: Recipient): boolean {
  return [firstName, lastName, email].every((part) => part.trim() !== "");
}

/** As little as the server asks too; whether there is such a mailbox only a mail can tell. */
export function isAddress(email: string): boolean {
  return /^[^@\s]+@[^@\s]+$/.test(email.trim());
}

export function fullName({ firstName, lastName }: Recipient): string {
  return `${firstName.trim()} ${lastName.trim()}`.trim();
}

export function letter(
  template: Sendable,
  recipient: Recipient,
  link: string,
): { subject: string; body: string } {
  const paragraphs = [
    `Hello ${fullName(recipient)},`,
    recipient.message.trim(),
    recipient.asPdf
      ? `The waiver "${template.name}" is attached as a PDF to read and fill in. To sign it, open its link on any device:`
      : `Please read and sign the waiver "${template.name}" before your activity. You can do it on any device:`,
    link,
    "You do not need an account.",
  ];
  return { subject: `Please sign: ${template.name} Waiver`, body: paragraphs.filter(Boolean).join("\n\n") };
}

const text = z
  .object({ status: z.enum(["sending", "delivered", "failed"]), error: z.string().nullable() })
  .optional();
/** What became of the text message beside a mail. */
export type TextOutcome = z.infer<typeof text>;

const anOutcome = z.discriminatedUnion("result", [
  z.object({ result: z.enum(["sent", "sending", "kept"]), text }),
  z.object({ result: z.literal("failed"), reason: z.string(), isBlocked: z.boolean().optional(), text }),
]);
/** How a send went. `kept`: there is no mail server, so the mail waits in Email History and reached nobody. */
export type Outcome = z.infer<typeof anOutcome>;

export function readOutcome(kept: unknown): Outcome | null {
  return anOutcome.safeParse(kept).data ?? null;
}

const answer = z.object({ id: z.string(), status: z.enum(["delivered", "sending", "kept"]), text });

export function outcomeOf(data: unknown): Outcome {
  const { data: read } = answer.safeParse(data);
  if (!read) return { result: "failed", reason: "No response data from email service" };
  return {
    result: read.status === "delivered" ? "sent" : read.status,
    ...(read.text && { text: read.text }),
  };
}

/** A refused mail may still have been texted. */
export function textOf(body: unknown): { text?: TextOutcome } {
  const told = z.object({ text }).safeParse(body).data?.text;
  return told ? { text: told } : {};
}

/** The server's own words when it gave any. */
export function reasonOf(status: number, body: unknown): string {
  const { data } = z
    .object({ error: z.union([z.string(), z.object({ message: z.string() })]) })
    .safeParse(body);
  if (!data) return `Failed to send email: ${status}`;
  return typeof data.error === "string" ? data.error : data.error.message;
}

export const NO_MAIL_SERVER = "The mail was kept in Email History and went to nobody.";

export function outcomeToast(outcome: Outcome, asPdf = false) {
  const waiver = asPdf ? "PDF Waiver" : "Waiver";
  const alsoText = (words = "") => {
    const description = [words, textInWords(outcome.text)].filter(Boolean).join(" ");
    return description ? { description } : {};
  };
  switch (outcome.result) {
    case "sent":
      return { title: `${waiver} Sent Successfully`, ...alsoText() };
    case "sending":
      return {
        title: "Waiver Is Being Sent",
        ...alsoText("Email History shows when it has been delivered."),
      };
    case "kept":
      return { title: "Waiver Ready, Not Mailed", ...alsoText(NO_MAIL_SERVER) };
    case "failed":
      return {
        title: `Failed to Send ${waiver}`,
        ...alsoText(`Error: ${outcome.reason}`),
        destructive: true,
      };
  }
}

/** Sent means that the gateway took it; whether the phone was on nobody tells us. */
export function textInWords(outcome: TextOutcome): string {
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
