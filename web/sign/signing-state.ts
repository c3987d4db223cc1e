import { NO_SIGNATURE } from "../app/features/signing/signature-input";
import type { Draft } from "../app/features/signing/signing-form";
import { UNEXPECTED } from "../app/lib/signing";
import type { StoredDraft } from "./draft-storage";
import type { Submission } from "./submission";
import type { SubmissionResult } from "./submit";
import type { Waiver } from "./waiver";

/** Describes the page from the first keystroke to the stored signature. */
export type SigningState = {
  waiver: Waiver;
  draft: Draft;
  phase: "filling" | "sending" | "waiting" | "signed" | "expired";
  /** The submission in progress is kept until the server has responded. */
  unsent: Submission | null;
  /** The last attempt is kept, because a retry of the same signature must use the same ids. */
  lastSubmission: Submission | null;
  failures: number;
  problem: string;
};

export type SigningEvent =
  | { kind: "edited"; draft: Draft }
  | { kind: "signed"; submission: Submission }
  | { kind: "retried" }
  | { kind: "crashed" }
  | SubmissionResult;

const WAIVER_CHANGED = "This waiver has changed since you opened it. Please read it again, then sign.";

export function initialState(waiver: Waiver, { draft, unsent }: StoredDraft): SigningState {
  const phase = unsent ? "sending" : "filling";
  return { waiver, draft, phase, unsent, lastSubmission: unsent, failures: 0, problem: "" };
}

export function nextState(state: SigningState, event: SigningEvent): SigningState {
  switch (event.kind) {
    case "edited":
      return { ...state, draft: event.draft, problem: "" };
    case "signed":
      return {
        ...state,
        phase: "sending",
        unsent: event.submission,
        lastSubmission: event.submission,
        problem: "",
      };
    case "retried":
      return { ...state, phase: "sending" };
    case "unreachable":
      return { ...state, phase: "waiting", failures: state.failures + 1 };
    case "stored":
      return { ...state, phase: "signed" };
    case "expired":
      return { ...state, phase: "expired" };
    case "changed":
      return {
        ...backToForm(state, WAIVER_CHANGED),
        waiver: { ...event.waiver, consent: state.waiver.consent },
        draft: { ...state.draft, signature: NO_SIGNATURE, consentedAt: "" },
      };
    case "refused":
      return backToForm(state, event.problem);
  }
  return backToForm(state, UNEXPECTED);
}

function backToForm(state: SigningState, problem: string): SigningState {
  return { ...state, phase: "filling", unsent: null, failures: 0, problem };
}

/**
 * Returns the delay before the next retry: 2, 4 and 8 s, then always 15 s. Browsers do not always report that the
 * network is back.
 */
export function retryDelay(failures: number): number {
  return Math.min(2 ** failures, 15) * 1000;
}
