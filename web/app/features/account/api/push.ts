import { errorMessage } from "~/lib/error-message";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { unwrap } from "~/lib/request";
import { apiClient } from "~/lib/api";
import { toast } from "~/ui/toast-store";

/** An iPhone, for example, is `unsupported` until the page is added to its home screen. */
export type PushState = "on" | "off" | "blocked" | "unsupported";

const WORKER_URL = "/push-worker.js";
// The worker only shows notifications. No page is below this path, so the worker never handles requests.
const WORKER_SCOPE = "/push/";

const pushQuery = queryOptions({ queryKey: ["push"], queryFn: readPushState, staleTime: 0 });

export const usePushState = () => useQuery(pushQuery);

export function useSwitchPush() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (on: boolean) => (on ? startPush() : stopPush()),
    onError: (error) =>
      toast({ title: "This browser was not set up", description: errorMessage(error), destructive: true }),
    onSettled: () => queries.invalidateQueries(pushQuery),
  });
}

async function readPushState(): Promise<PushState> {
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  const subscription = await currentSubscription();
  if (!subscription) return "off";
  // The subscription may belong to another user of this browser. Then this user cannot see its row.
  const { rest } = await apiClient();
  const ownSubscription = rest
    .from("push_subscriptions")
    .select("id")
    .eq("endpoint", subscription.endpoint)
    .limit(1);
  return (await unwrap(ownSubscription)).length > 0 ? "on" : "off";
}

async function startPush(): Promise<void> {
  if ((await Notification.requestPermission()) !== "granted") return;
  const registration = await navigator.serviceWorker.register(WORKER_URL, { scope: WORKER_SCOPE });
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: await fetchServerKey(),
  });
  const { endpoint, keys } = subscription.toJSON();
  if (!endpoint || !keys?.p256dh || !keys.auth) throw new Error("The browser returned no push endpoint.");
  const { rest } = await apiClient();
  await unwrap(rest.from("push_subscriptions").insert({ endpoint, p256dh: keys.p256dh, auth: keys.auth }));
}

async function stopPush(): Promise<void> {
  const subscription = await currentSubscription();
  if (!subscription) return;
  const { rest } = await apiClient();
  await unwrap(rest.from("push_subscriptions").delete().eq("endpoint", subscription.endpoint));
  await subscription.unsubscribe();
}

async function currentSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER_SCOPE);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

async function fetchServerKey(): Promise<string> {
  const { functions } = await apiClient();
  const { data, error } = await functions.invoke<{ key: string }>("push-key", { method: "GET" });
  if (error) throw error;
  return data?.key ?? "";
}
