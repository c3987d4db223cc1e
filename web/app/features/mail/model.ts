import * as z from "zod";

const LINK = /https?:\/\/[^\s/]+\/waivers\/sign\/[\w/-]+/;
const PREVIEW = 300;

/** The address a guest would sign at, when the mail has one. */
export function signingLink(body: string): string | null {
  return LINK.exec(body)?.[0] ?? null;
}

export function preview(body: string): string {
  return body.length > PREVIEW ? `${body.slice(0, PREVIEW)}…` : body;
}

export const PROVIDERS = ["service", "mock", "sendgrid", "resend", "custom"] as const;
export type Provider = (typeof PROVIDERS)[number];

export const PROVIDER_NAMES: Record<Provider, string> = {
  service: "Application service",
  mock: "Mock",
  sendgrid: "SendGrid",
  resend: "Resend",
  custom: "Custom endpoint",
};

/** As the server tells it: everything but the key. */
export const configuration = z.object({
  provider: z.enum(PROVIDERS),
  hasApiKey: z.boolean(),
  customEndpoint: z.string().nullable(),
  senderEmail: z.string().nullable(),
  failingSince: z.string().nullable(),
  lastError: z.string().nullable(),
  serviceConfigured: z.boolean(),
  serviceProvider: z.string(),
  serviceSender: z.string(),
});
export type Configuration = z.infer<typeof configuration>;

export type Choice = { provider: Provider; apiKey: string; customEndpoint: string; senderEmail: string };

export function choiceOf(saved: Configuration): Choice {
  return {
    provider: saved.provider,
    apiKey: "",
    customEndpoint: saved.customEndpoint ?? "",
    senderEmail: saved.senderEmail ?? "",
  };
}

export const needsKey = (provider: Provider): boolean => provider === "sendgrid" || provider === "resend";

/** What is missing, by field. The server asks for the same. */
export function missing(
  choice: Choice,
  saved: Configuration,
): { field: "apiKey" | "customEndpoint"; says: string } | null {
  const keyIsThere = saved.hasApiKey && saved.provider === choice.provider;
  if (needsKey(choice.provider) && !choice.apiKey.trim() && !keyIsThere)
    return { field: "apiKey", says: `Please enter your ${PROVIDER_NAMES[choice.provider]} API key` };
  if (choice.provider === "custom" && !choice.customEndpoint.trim())
    return { field: "customEndpoint", says: "Please enter the endpoint URL" };
  return null;
}

/** What the browser may keep: no key, and nothing to decide by. */
export function cachedConfiguration({
  provider,
  customEndpoint,
  serviceConfigured,
  serviceProvider,
}: Configuration) {
  return { provider, customEndpoint, serviceConfigured, serviceProvider };
}

export function errorTitle(provider: string | null | undefined): string {
  if (provider === "resend") return "Resend Error";
  if (provider === "sendgrid") return "SendGrid Error";
  return "Email Error";
}

const testAnswer = z.object({
  status: z.enum(["delivered", "sending", "kept"]),
  provider: z.string().nullable(),
});
export type TestOutcome = z.infer<typeof testAnswer>;

export function testOutcome(data: unknown): TestOutcome {
  const { data: read } = testAnswer.safeParse(data);
  if (!read) throw new Error("No response data from email service");
  return read;
}

export function testToast({ status, provider }: TestOutcome, to: string) {
  switch (status) {
    case "delivered":
      return {
        title: "Test email sent",
        description: `It was accepted for ${to}. Please look into that mailbox.`,
      };
    case "sending":
      return { title: "Test email is being sent", description: "Email History shows what becomes of it." };
    case "kept":
      return {
        title: "Test email kept, not delivered",
        description:
          provider === "mock"
            ? "In mock mode nothing is delivered. The message is in Email History."
            : "No mail server is set up, so the message stays in Email History.",
      };
  }
}
