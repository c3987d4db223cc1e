import * as z from "~/lib/zod";
import type { DeliveryRow, EndpointRow } from "~/lib/database";
import { relativeTime } from "~/lib/dates";
import type { ToastMessage } from "~/ui/toast-store";

export type Endpoint = Omit<EndpointRow, "company_id">;
export type Delivery = Omit<DeliveryRow, "company_id" | "event_id" | "waiver_id">;
export type Kind = EndpointRow["kind"];
export type EndpointDraft = { name: string; url: string; send_sensitive?: boolean };

/** The pages for webhooks and for Zapier share their components and differ mostly in these texts. */
export const TEXTS = {
  webhook: {
    list: "Addresses",
    add: "Add address",
    empty: "No address yet",
    emptyText: "Add an HTTPS endpoint. Each waiver signed from then on is posted to it.",
    newTitle: "Add a webhook address",
    editTitle: "Change this address",
    urlLabel: "Address",
    urlHint: "Starts with https:// and is reachable on the public internet.",
    placeholder: "https://booking.example.com/waivers",
    removeTitle: "Remove this address?",
    removeText: "Nothing is sent there any more, and its list of deliveries goes with it.",
    remove: "Remove",
    removed: "Address removed",
  },
  zapier: {
    list: "Connected Zaps",
    add: "Connect a Zap",
    empty: "No Zap connected yet",
    emptyText: "Paste the address of a Zapier hook. Each waiver signed from then on starts that Zap.",
    newTitle: "Connect a Zap",
    editTitle: "Change this Zap",
    urlLabel: "Webhook URL from Zapier",
    urlHint: "Starts with https://hooks.zapier.com/hooks/catch/. Treat it like a password.",
    placeholder: "https://hooks.zapier.com/hooks/catch/…",
    removeTitle: "Disconnect this Zap?",
    removeText: "It is no longer started by your waivers, and its list of deliveries goes with it.",
    remove: "Disconnect",
    removed: "Zap disconnected",
  },
} as const;

export const EVENT_LABELS: Record<Delivery["event"], string> = {
  "waiver.signed": "Waiver signed",
  "webhook.test": "Test",
};

/** The secret is returned only when it is created or renewed. Zapier hooks have none. */
const savedEndpointSchema = z.object({ id: z.string(), secret: z.string().nullish() });
export type SavedEndpoint = z.infer<typeof savedEndpointSchema>;
export const parseSavedEndpoint = (payload: unknown): SavedEndpoint => savedEndpointSchema.parse(payload);

/** `answer` is the HTTP status with which the endpoint responded. */
const outcomeSchema = z.object({
  status: z.enum(["waiting", "delivered", "failed"]),
  answer: z.number().nullable(),
  error: z.string().nullable(),
});
export type Outcome = z.infer<typeof outcomeSchema>;
export const parseOutcome = (payload: unknown): Outcome => outcomeSchema.parse(payload);

export function outcomeToast(
  subject: string,
  { status, answer: responseStatus, error }: Outcome,
): ToastMessage {
  if (status === "delivered")
    return { title: `${subject} delivered`, description: `The response was ${responseStatus}.` };
  if (error) return { title: `${subject} did not arrive`, description: error, destructive: true };
  return { title: `${subject} is on its way`, description: "Recent deliveries show the outcome." };
}

/** Describes the next attempt. Returns null if none will follow, or if it is the first one, which is made immediately. */
export function nextStep(
  delivery: Pick<Delivery, "status" | "next_try_at" | "error">,
  now: Date,
): string | null {
  if (delivery.status !== "waiting") return null;
  if (delivery.next_try_at === null) return "Waits until you resume";
  if (!delivery.error) return null;
  const next = new Date(delivery.next_try_at);
  return next <= now ? "Next try now" : `Next try ${timeUntil(next, now)}`;
}

const timeUntil = (then: Date, now: Date): string =>
  then.getTime() - now.getTime() < 60_000 ? "within a minute" : relativeTime(then, now);

export const attemptsLabel = (attempts: number): string => (attempts === 1 ? "1 try" : `${attempts} tries`);

const DUE_SOON_MS = 120_000;
/** Tells whether the delivery is due soon enough to poll for its outcome. */
export const isDueSoon = ({ status, next_try_at }: Delivery, now: Date): boolean =>
  status === "waiting" &&
  next_try_at !== null &&
  new Date(next_try_at).getTime() - now.getTime() < DUE_SOON_MS;
