import { NO_SIGNATURE } from "../app/features/signing/signature-input";
import type { Draft } from "../app/features/signing/signing-form";
import type { Outcome, Submission } from "./deliver";
import type { Kept } from "./keep";
import type { Waiver } from "./waiver";

/** From the first letter typed to the stored signature. */
export type Signing = {
  waiver: Waiver;
  draft: Draft;
  phase: "filling" | "sending" | "waiting" | "signed" | "expired";
  /** Frozen and on its way; kept until the server has answered. */
  unsent: Submission | null;
  /** The last one tried, because the same signature tried again must keep its ids. */
  last: Submission | null;
  failures: number;
  problem: string;
};

export type Happening =
  | { kind: "edited"; draft: Draft }
  | { kind: "signed"; submission: Submission }
  | { kind: "retried" }
  | { kind: "broke" }
  | Outcome;

const CHANGED = "This waiver has changed since you opened it. Please read it again, then sign.";
const UNEXPECTED = "An unexpected error occurred. Please try again.";

export function begin(waiver: Waiver, { draft, unsent }: Kept): Signing {
  const phase = unsent ? "sending" : "filling";
  return { waiver, draft, phase, unsent, last: unsent, failures: 0, problem: "" };
}

export function next(now: Signing, event: Happening): Signing {
  switch (event.kind) {
    case "edited":
      return { ...now, draft: event.draft, problem: "" };
    case "signed":
      return { ...now, phase: "sending", unsent: event.submission, last: event.submission, problem: "" };
    case "retried":
      return { ...now, phase: "sending" };
    case "unreachable":
      return { ...now, phase: "waiting", failures: now.failures + 1 };
    case "stored":
      return { ...now, phase: "signed" };
    case "expired":
      return { ...now, phase: "expired" };
    case "changed":
      return {
        ...givenBack(now, CHANGED),
        waiver: { ...event.waiver, consent: now.waiver.consent },
        draft: { ...now.draft, signature: NO_SIGNATURE, consentedAt: "" },
      };
    case "refused":
      return givenBack(now, event.problem);
  }
  return givenBack(now, UNEXPECTED);
}

function givenBack(now: Signing, problem: string): Signing {
  return { ...now, phase: "filling", unsent: null, failures: 0, problem };
}

/** The browser does not always notice that the network is back, so we look ourselves: after 2, 4, 8 s, then every 15. */
export function pause(failures: number): number {
  return Math.min(2 ** failures, 15) * 1000;
}
