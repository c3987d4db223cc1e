import type { RealtimeChannel } from "@supabase/supabase-js";

/** Resolves when the channel is joined, and rejects when it is refused. */
export function join(channel: RealtimeChannel): Promise<void> {
  return new Promise((resolve, reject) => {
    channel.subscribe((state, error) => {
      const status: string = state;
      if (status === "SUBSCRIBED") resolve();
      if (status === "CHANNEL_ERROR" || status === "TIMED_OUT") reject(error ?? new Error(status));
    });
  });
}

export async function until(condition: () => boolean, milliseconds = 4000): Promise<boolean> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    if (condition()) return true;
    await new Promise((later) => setTimeout(later, 20));
  }
  return condition();
}
