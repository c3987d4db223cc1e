import { useState } from "react";
import { CheckboxField } from "~/ui/checkbox-field";
import { Dialog } from "~/ui/dialog";
import { RadioField } from "~/ui/radio-field";
import { SubmitActions } from "~/ui/submit-actions";
import type { ExportChoice } from "../api/export-directory";
import type { ParticipantColumns } from "../participants-csv";

const COLUMN_LABELS: Record<keyof ParticipantColumns, string> = {
  birthDates: "Adult or minor, and birth date",
  flags: "Flags",
  answers: "Answers",
  sensitive: "Also what is sensitive, for example about health",
};
const COLUMN_NAMES = ["birthDates", "flags", "answers", "sensitive"] as const;

/** Asks what a row of the CSV file is. Sensitive answers are left out unless they are chosen. */
export default function ExportDialog({ onExport, onClose }: ExportChoice) {
  const [isByParticipant, setIsByParticipant] = useState(true);
  const [columns, setColumns] = useState<ParticipantColumns>({
    birthDates: true,
    flags: true,
    answers: true,
    sensitive: false,
  });
  return (
    <Dialog open onClose={onClose} title="Export CSV">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onExport(isByParticipant ? columns : null);
        }}
      >
        <fieldset>
          <legend className="sr-only">Rows of the file</legend>
          <RadioField
            name="rows"
            label="One row for each participant"
            checked={isByParticipant}
            onChange={() => setIsByParticipant(true)}
          >
            The signer and each minor, with the columns that you choose.
          </RadioField>
          <fieldset disabled={!isByParticipant} className="ps-8 disabled:opacity-60">
            <legend className="sr-only">Columns about participants</legend>
            {COLUMN_NAMES.map((name) => (
              <CheckboxField
                key={name}
                checked={columns[name]}
                onChange={({ target }) => setColumns({ ...columns, [name]: target.checked })}
              >
                {COLUMN_LABELS[name]}
              </CheckboxField>
            ))}
          </fieldset>
          <RadioField
            name="rows"
            label="One row for each waiver"
            checked={!isByParticipant}
            onChange={() => setIsByParticipant(false)}
          >
            Template, recipient, email, status and date, as in the list.
          </RadioField>
        </fieldset>
        <SubmitActions submitLabel="Export" onKeep={onClose} isBusy={false} />
      </form>
    </Dialog>
  );
}
