import { Button } from "./button";
import { DialogActions } from "./dialog";
import { FieldError } from "./field";

type Props = {
  submitLabel: string;
  keepLabel?: string;
  onKeep: () => void;
  isBusy: boolean;
  isDangerous?: boolean;
  problem?: string | null | undefined;
};

/** The end of a form in a dialog: an error message, a button that changes nothing, and the button that submits. */
export function SubmitActions({
  submitLabel,
  keepLabel = "Cancel",
  onKeep,
  isBusy,
  isDangerous = false,
  problem,
}: Props) {
  return (
    <>
      {problem && <FieldError>{problem}</FieldError>}
      <DialogActions>
        <Button variant="secondary" onClick={onKeep}>
          {keepLabel}
        </Button>
        <Button type="submit" variant={isDangerous ? "danger" : "primary"} busy={isBusy}>
          {submitLabel}
        </Button>
      </DialogActions>
    </>
  );
}
