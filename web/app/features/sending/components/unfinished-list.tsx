import { ListChecks } from "lucide-react";
import { LinkButton } from "~/ui/link-button";
import { Notice } from "~/ui/notice";
import { countRows, isFinished } from "../list/list-run";
import { useListRun } from "../list/run-store";

/** Leads back to a list that was not sent to the end. */
export default function UnfinishedList() {
  const { run, isSending } = useListRun();
  if (!run || isFinished(run)) return null;
  const { total, done } = countRows(run);
  return (
    <Notice
      tone={isSending ? "stone" : "amber"}
      icon={ListChecks}
      title={isSending ? "Your list is being sent." : "Your list is not finished."}
      action={
        <LinkButton
          to={`?list=${encodeURIComponent(run.templateId)}`}
          variant="secondary"
          size="sm"
          className="sm:-my-1.5"
        >
          Open the list
        </LinkButton>
      }
    >
      {done} of {total} done.
    </Notice>
  );
}
