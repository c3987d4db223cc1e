import { useState } from "react";
import { Link } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { RowText } from "~/ui/row-text";
import { Status, type StatusKind } from "~/ui/status";
import { isFailed, type RunRow } from "../list/list-run";
import { describeTextOutcome, type Outcome, type SendableTemplate } from "../model";
import { FixRowForm } from "./fix-row-form";
import { RowReason } from "./row-reason";
import { useFocusAfterEditing } from "./use-focus-after-editing";

const STATUS_KINDS: Record<Outcome["result"], StatusKind> = {
  sent: "delivered",
  sending: "sending",
  kept: "kept",
  failed: "failed",
};

type Props = {
  rows: RunRow[];
  isSending: boolean;
  /** Undefined if the template no longer exists. Then no row can be fixed. */
  template: SendableTemplate | undefined;
};

/** Lists the outcome of each row. Once all are known, those that failed come first and can be fixed. */
export function RunRows({ rows, isSending, template }: Props) {
  const ordered = isSending ? rows : rows.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)));
  // A row that is fixed is sent at once, which must not continue a list that the user or a limit has stopped.
  const isOver = !isSending && rows.every(({ outcome }) => outcome !== null);
  return (
    <ul aria-label="Outcome" className="divide-y divide-line">
      {ordered.map((row) => (
        <OutcomeRow key={row.number} row={row} template={isOver ? template : undefined} />
      ))}
    </ul>
  );
}

function OutcomeRow({ row, template }: { row: RunRow; template: SendableTemplate | undefined }) {
  const [isFixing, setFixing] = useState(false);
  const fixButton = useFocusAfterEditing(isFixing);
  const { outcome } = row;
  if (isFixing && template)
    return (
      <li className="px-4 py-4 sm:px-5">
        <FixRowForm row={row} template={template} onClose={() => setFixing(false)} />
      </li>
    );
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <RowText name={row.name} className="basis-48">
        <p className="text-sm wrap-anywhere text-muted">
          <bdi>{row.email}</bdi>
        </p>
        {outcome?.result === "failed" && <RowReason tone="red">{outcome.reason}</RowReason>}
        {outcome?.text && (
          <p className="text-sm wrap-break-word text-muted">{describeTextOutcome(outcome.text)}</p>
        )}
      </RowText>
      <div className="flex items-center gap-3 text-sm">
        {outcome ? (
          <Status kind={STATUS_KINDS[outcome.result]} />
        ) : (
          <span className="text-muted">Not sent yet</span>
        )}
        {template && isFailed(row) && (
          <Button
            ref={fixButton}
            variant="secondary"
            size="sm"
            aria-label={`Fix ${row.name}`}
            onClick={() => setFixing(true)}
          >
            Fix
          </Button>
        )}
        {outcome && row.isStored && (
          <Link
            to={paths.waiver(row.sessionId)}
            aria-label={`Open the waiver of ${row.name}`}
            className="inline-flex min-h-11 items-center rounded px-1 font-medium text-forest-text underline underline-offset-4"
          >
            Open
          </Link>
        )}
      </div>
    </li>
  );
}
