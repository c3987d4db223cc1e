import type { RealtimeChannel } from "@supabase/supabase-js";

/** Subscribes to a channel, and rejects if the server returns an error or does not respond. */
export function joinChannel(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((state, error) => {
      const status: string = state;
      if (status === "SUBSCRIBED") resolve();
      if (status === "CHANNEL_ERROR" || status === "TIMED_OUT") reject(error ?? new Error(status));
    });
  });
}

/**
 * Polls the condition and returns whether it became true in time. The default timeout is long, because other tests may
 * keep all processors busy. A test about speed passes its own timeout.
 */
export async function waitUntil(condition: () => boolean, timeoutMilliseconds = 20_000): Promise<boolean> {
  const deadline = Date.now() + timeoutMilliseconds;
  while (Date.now() < deadline) {
    if (condition()) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return condition();
}
