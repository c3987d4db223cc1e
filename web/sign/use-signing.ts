import { useEffect, useLayoutEffect, useReducer } from "react";
import type { ViewEvidence } from "../app/features/signing/signature-row";
import type { Draft, SubmittedSignature } from "../app/features/signing/signing-form";
import { clearDraft, loadDraft, saveDraft } from "./draft-storage";
import { keepReceipt } from "./keep-receipt";
import type { RestRequest } from "./rest";
import { initialState, nextState, retryDelayMs } from "./signing-state";
import { createSubmission } from "./submission";
import { submit } from "./submit";
import type { Waiver } from "./waiver";

/** Stores the draft, submits the signature, and retries while the server is unreachable. */
export function useSigning(request: RestRequest, waiver: Waiver) {
  const [state, dispatch] = useReducer(nextState, waiver, () => initialState(waiver, loadDraft(waiver)));
  const { draft, submission, phase, failureCount } = state;

  // A layout effect runs before the paint, so that the draft is stored even if the page is closed immediately.
  useLayoutEffect(() => {
    if (phase === "signed" || phase === "closed") clearDraft();
    else saveDraft({ draft, unsent: submission });
    // A tablet shows the page of a template to one guest after another, who must not see each other's receipts.
    if (phase === "signed" && submission && state.waiver.sessionId)
      keepReceipt(submission.waiver, state.waiver.company);
  }, [draft, submission, phase, state.waiver]);

  useEffect(() => {
    if (phase !== "sending" || !submission) return;
    submit(request, submission).then(dispatch, () => dispatch({ kind: "crashed" }));
  }, [request, phase, submission]);

  useEffect(() => {
    if (phase !== "waiting") return undefined;
    const retry = () => dispatch({ kind: "retried" });
    const timer = setTimeout(retry, retryDelayMs(failureCount));
    addEventListener("online", retry);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", retry);
    };
  }, [phase, failureCount]);

  return {
    state,
    edit: (newDraft: Draft) => dispatch({ kind: "edited", draft: newDraft }),
    sign: (signature: SubmittedSignature, evidence: ViewEvidence) =>
      dispatch({
        kind: "submitted",
        submission: createSubmission(state.waiver, signature, evidence, state.lastSubmission),
      }),
    retry: () => dispatch({ kind: "retried" }),
  };
}
