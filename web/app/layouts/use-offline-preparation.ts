import { useEffect } from "react";
import { whenIdle } from "~/lib/when-idle";

type Prepare = (userId: string) => Promise<void>;

/** Loads and runs the preparation for use offline when the browser is idle. A failure only means no offline use. */
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
