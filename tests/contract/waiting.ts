import type { RealtimeChannel } from "@supabase/supabase-js";

/** Resolves when the channel is joined, fails when it is refused. */
export function joined(channel: RealtimeChannel): Promise<void> {
  return new Promise((done, refused) => {
    channel.subscribe((state, error) => {
      const status: string = state;
      if (status === "SUBSCRIBED") done();
      if (status === "CHANNEL_ERROR" || status === "TIMED_OUT") refused(error ?? new Error(status));
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
