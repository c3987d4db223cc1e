import { useEffect, useLayoutEffect, useReducer } from "react";
import type { ViewEvidence } from "../app/features/signing/signature-row";
import type { Draft, SubmittedSignature } from "../app/features/signing/signing-form";
import { clearDraft, loadDraft, saveDraft } from "./draft-storage";
import type { RestRequest } from "./rest";
import { initialState, nextState, retryDelay } from "./signing-state";
import { createSubmission } from "./submission";
import { submit } from "./submit";
import type { Waiver } from "./waiver";

/** Stores the draft, submits the signature, and retries while the server is unreachable. */
export function useSigning(request: RestRequest, waiver: Waiver) {
  const [state, dispatch] = useReducer(nextState, waiver, () => initialState(waiver, loadDraft(waiver)));
  const { draft, unsent, phase, failures } = state;

  // A layout effect runs before the paint, so that the draft is stored even if the page is closed immediately.
  useLayoutEffect(() => {
    if (phase === "signed" || phase === "expired") clearDraft();
    else saveDraft({ draft, unsent });
  }, [draft, unsent, phase]);

  useEffect(() => {
    if (phase !== "sending" || !unsent) return;
    submit(request, unsent).then(dispatch, () => dispatch({ kind: "crashed" }));
  }, [request, phase, unsent]);

  useEffect(() => {
    if (phase !== "waiting") return undefined;
    const retry = () => dispatch({ kind: "retried" });
    const timer = setTimeout(retry, retryDelay(failures));
    addEventListener("online", retry);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", retry);
    };
  }, [phase, failures]);

  return {
    state,
    edit: (newDraft: Draft) => dispatch({ kind: "edited", draft: newDraft }),
    sign: (signature: SubmittedSignature, evidence: ViewEvidence) =>
      dispatch({
        kind: "signed",
        submission: createSubmission(state.waiver, signature, evidence, state.lastSubmission),
      }),
    retry: () => dispatch({ kind: "retried" }),
  };
}
