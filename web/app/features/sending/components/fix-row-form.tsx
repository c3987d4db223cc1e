import { useState } from "react";
import { errorMessage } from "~/lib/error-message";
import { useIsTextingOffered } from "~/lib/texting";
import { problemOf, storedFields, type Listed } from "../list/build-rows";
import type { RunRow } from "../list/list-run";
import { correctRow } from "../list/run-store";
import type { SendableTemplate } from "../model";
import { ListRowForm } from "./list-row-form";

type Props = { row: RunRow; template: SendableTemplate; onClose: () => void };

/** Corrects the recipient of a row that failed, and sends it at once. */
export function FixRowForm({ row, template, onClose }: Props) {
  const withPhoneNumbers = useIsTextingOffered();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const save = async (listed: Listed) => {
    const fields = storedFields(listed);
    const newProblem = problemOf(fields, withPhoneNumbers);
    setProblem(newProblem);
    if (newProblem) return;
    setBusy(true);
    try {
      await correctRow(row, fields, template);
      onClose();
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
    }
  };
  return (
    <ListRowForm
      row={row}
      withPhoneNumbers={withPhoneNumbers}
      saveLabel="Save and send"
      problem={problem}
      isBusy={isBusy}
      onSave={(listed) => void save(listed)}
      onCancel={onClose}
    />
  );
}
