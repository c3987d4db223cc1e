import { errorMessage } from "~/lib/error-message";
import { useState } from "react";

/** Manages the state of a small form: whether it is being sent, and the problem to show. */
export function useSubmission() {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (send: () => Promise<void>) => {
    setBusy(true);
    try {
      await send();
    } catch (error) {
      setProblem(errorMessage(error));
    } finally {
      setBusy(false);
    }
  };
  return { problem, setProblem, isBusy, submit };
}
