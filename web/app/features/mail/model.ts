import * as z from "~/lib/zod";

const SIGNING_LINK = /https?:\/\/[^\s/]+\/waivers\/sign\/[\w/-]+/;
const PREVIEW_LENGTH = 300;

/** Returns the signing link in the text of an email, if there is one. */
export function signingLink(body: string): string | null {
  return SIGNING_LINK.exec(body)?.[0] ?? null;
}

export function preview(body: string): string {
  return body.length > PREVIEW_LENGTH ? `${body.slice(0, PREVIEW_LENGTH)}…` : body;
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

/** The server returns all settings except the keys. */
export const configurationSchema = z.object({
  provider: z.enum(PROVIDERS),
  hasApiKey: z.boolean(),
  customEndpoint: z.string().nullable(),
  senderEmail: z.string().nullable(),
  failingSince: z.string().nullable(),
  lastError: z.string().nullable(),
  serviceConfigured: z.boolean(),
  serviceProvider: z.string(),
  serviceSender: z.string(),
  hasReportKey: z.boolean(),
  reportPaths: z.object({ resend: z.string(), sendgrid: z.string() }),
});
export type Configuration = z.infer<typeof configurationSchema>;

export type ConfigurationInput = {
  provider: Provider;
  apiKey: string;
  customEndpoint: string;
  senderEmail: string;
  reportKey: string;
};

export function toInput(savedConfiguration: Configuration): ConfigurationInput {
  return {
    provider: savedConfiguration.provider,
    apiKey: "",
    customEndpoint: savedConfiguration.customEndpoint ?? "",
    senderEmail: savedConfiguration.senderEmail ?? "",
    reportKey: "",
  };
}

export const needsKey = (provider: Provider): provider is "sendgrid" | "resend" =>
  provider === "sendgrid" || provider === "resend";

/** Returns the first required field that is empty. The server applies the same rules. */
export function firstMissing(
  input: ConfigurationInput,
  savedConfiguration: Configuration,
): { field: "apiKey" | "customEndpoint"; message: string } | null {
  const hasSavedKey = savedConfiguration.hasApiKey && savedConfiguration.provider === input.provider;
  if (needsKey(input.provider) && !input.apiKey.trim() && !hasSavedKey)
    return { field: "apiKey", message: `Please enter your ${PROVIDER_NAMES[input.provider]} API key` };
  if (input.provider === "custom" && !input.customEndpoint.trim())
    return { field: "customEndpoint", message: "Please enter the endpoint URL" };
  return null;
}

/** Returns the settings that are cached in the browser. The keys are not among them. */
export function toCachedConfiguration({
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

const testResponseSchema = z.object({
  status: z.enum(["delivered", "sending", "kept"]),
  provider: z.string().nullable(),
});
export type TestOutcome = z.infer<typeof testResponseSchema>;

export function parseTestOutcome(data: unknown): TestOutcome {
  const { data: outcome } = testResponseSchema.safeParse(data);
  if (!outcome) throw new Error("No response data from email service");
  return outcome;
}

export function testToast({ status, provider }: TestOutcome, to: string) {
  switch (status) {
    case "delivered":
      return {
        title: "Test email sent",
        description: `It was accepted for ${to}. Please check your inbox.`,
      };
    case "sending":
      return { title: "Test email is being sent", description: "Email History shows the outcome." };
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
