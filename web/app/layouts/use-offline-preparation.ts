import { useEffect } from "react";
import { whenIdle } from "~/lib/when-idle";

type Prepare = (userId: string) => Promise<void>;

/** Prepares the app for offline use when the browser is idle. If that fails, the app can only be used online. */
export function useOfflinePreparation(load: () => Promise<Prepare>, userId: string): void {
  useEffect(
    () =>
      whenIdle(
        () =>
          void load()
            .then((prepare) => prepare(userId))
            .catch(() => {}),
      ),
    [load, userId],
  );
}
