import { NO_SIGNATURE } from "../app/features/signing/signature-input";
import type { Draft } from "../app/features/signing/signing-form";
import { UNEXPECTED_ERROR } from "../app/lib/signing";
import type { StoredDraft } from "./draft-storage";
import type { Submission } from "./submission";
import type { SubmissionResult } from "./submit";
import type { Waiver } from "./waiver";

/** Describes the page from the first keystroke to the stored signature. */
export type SigningState = {
  waiver: Waiver;
  draft: Draft;
  phase: "filling" | "sending" | "waiting" | "signed" | "closed";
  /** This submission is being sent or was stored. It is null while the guest fills in the page. */
  submission: Submission | null;
  /** The last submission is remembered after an error, because the same signature must be sent with the same ids. */
  lastSubmission: Submission | null;
  failureCount: number;
  problem: string;
  /** The last response of the server, if it refused the signature. */
  refusal: Extract<SubmissionResult, { kind: "refused" }> | null;
};

export type SigningEvent =
  | { kind: "edited"; draft: Draft }
  | { kind: "submitted"; submission: Submission }
  | { kind: "retried" }
  | { kind: "crashed" }
  | SubmissionResult;

const WAIVER_CHANGED = "This waiver has changed since you opened it. Please read it again, then sign.";

export function initialState(waiver: Waiver, { draft, unsent: submission }: StoredDraft): SigningState {
  const phase = submission ? "sending" : "filling";
  return {
    waiver,
    draft,
    phase,
    submission,
    lastSubmission: submission,
    failureCount: 0,
    problem: "",
    refusal: null,
  };
}

export function nextState(state: SigningState, event: SigningEvent): SigningState {
  switch (event.kind) {
    case "edited":
      return { ...state, draft: event.draft, problem: "" };
    case "submitted":
      return {
        ...state,
        phase: "sending",
        submission: event.submission,
        lastSubmission: event.submission,
        problem: "",
      };
    case "retried":
      return { ...state, phase: "sending" };
    case "unreachable":
      return { ...state, phase: "waiting", failureCount: state.failureCount + 1 };
    case "stored":
      return { ...state, phase: "signed" };
    case "closed":
      return { ...state, phase: "closed", waiver: { ...state.waiver, isCancelled: event.isCancelled } };
    case "changed":
      return {
        ...returnToFilling(state, WAIVER_CHANGED),
        waiver: { ...event.waiver, consent: state.waiver.consent },
        draft: { ...state.draft, signature: NO_SIGNATURE, consentedAt: "" },
      };
    case "refused":
      return { ...returnToFilling(state, event.problem), refusal: event };
    case "crashed":
      return returnToFilling(state, UNEXPECTED_ERROR);
  }
}

function returnToFilling(state: SigningState, problem: string): SigningState {
  return { ...state, phase: "filling", submission: null, failureCount: 0, problem };
}

/**
 * Returns the delay before the next retry: 2, 4 and 8 s, then always 15 s. The page retries by itself, because browsers
 * do not always report that the network is back.
 */
export function retryDelayMs(failureCount: number): number {
  return Math.min(2 ** failureCount, 15) * 1000;
}
