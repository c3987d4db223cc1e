import { useEffect, useLayoutEffect, useReducer } from "react";
import type { Draft, Signed } from "../app/features/signing/signing-form";
import { deliver, submission } from "./deliver";
import { forget, keep, kept } from "./keep";
import type { Reading } from "./reading";
import type { Ask } from "./rest";
import { begin, next, pause } from "./signing";
import type { Waiver } from "./waiver";

/** Keeps what was entered, sends what was signed, and tries again for as long as the network is away. */
export function useSigning(ask: Ask, waiver: Waiver) {
  const [now, tell] = useReducer(next, waiver, () => begin(waiver, kept(waiver)));
  const { draft, unsent, phase, failures } = now;

  // Before the screen is painted: a page that goes away in the next moment has kept it.
  useLayoutEffect(() => {
    if (phase === "signed" || phase === "expired") forget();
    else keep({ draft, unsent });
  }, [draft, unsent, phase]);

  useEffect(() => {
    if (phase !== "sending" || !unsent) return;
    deliver(ask, unsent).then(tell, () => tell({ kind: "broke" }));
  }, [ask, phase, unsent]);

  useEffect(() => {
    if (phase !== "waiting") return undefined;
    const again = () => tell({ kind: "retried" });
    const timer = setTimeout(again, pause(failures));
    addEventListener("online", again);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", again);
    };
  }, [phase, failures]);

  return {
    now,
    edit: (edited: Draft) => tell({ kind: "edited", draft: edited }),
    sign: (signed: Signed, reading: Reading) =>
      tell({ kind: "signed", submission: submission(now.waiver, signed, reading, now.last) }),
    retry: () => tell({ kind: "retried" }),
  };
}
