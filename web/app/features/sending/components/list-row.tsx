import { useState } from "react";
import { Badge } from "~/ui/badge";
import { Button } from "~/ui/button";
import { RowText } from "~/ui/row-text";
import { canSendAnyway, type Listed, type ListRow, type RowState } from "../list/build-rows";
import { ListRowForm } from "./list-row-form";
import { RowReason } from "./row-reason";
import { useFocusAfterEditing } from "./use-focus-after-editing";

export type RowActions = {
  onEdit: (number: number, listed: Listed) => void;
  onChoose: (numbers: number[], choice: "leaveOut" | "sendAnyway" | null) => void;
};

type Props = RowActions & { row: ListRow; withPhoneNumbers: boolean };

/** Shows a row as it will be stored, and lets the user fix it or leave it out. */
export function PreviewRow({ row, withPhoneNumbers, onEdit, onChoose }: Props) {
  const [isEditing, setEditing] = useState(false);
  const editButton = useFocusAfterEditing(isEditing);
  if (isEditing) {
    const save = (listed: Listed) => {
      onEdit(row.number, listed);
      setEditing(false);
    };
    return (
      <li className="px-4 py-4 sm:px-5">
        <ListRowForm
          row={row}
          withPhoneNumbers={withPhoneNumbers}
          saveLabel="Save row"
          onSave={save}
          onCancel={() => setEditing(false)}
        />
      </li>
    );
  }
  const label = row.name || row.email || `row ${row.number}`;
  const isOut = row.state === "leftOut";
  const editLabel = row.state === "invalid" ? "Fix" : "Edit";
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <span className="w-8 shrink-0 self-start pt-0.5 text-end text-sm text-muted tabular-nums">
        <span className="sr-only">Row </span>
        {row.number}
      </span>
      <RowText name={row.name || "No name"} className={`basis-48 ${isOut ? "line-through opacity-60" : ""}`}>
        <p className="text-sm wrap-anywhere text-muted">
          <bdi>{row.email || "No email address"}</bdi>
          {withPhoneNumbers && row.phone && <bdi> · {row.phone}</bdi>}
        </p>
        {row.reason && <RowReason tone={row.state === "invalid" ? "red" : "amber"}>{row.reason}</RowReason>}
      </RowText>
      <div className="flex grow flex-wrap items-center justify-end gap-1 ps-12 sm:ps-0">
        {/* On a phone there is no space for both, and the reason says more. */}
        <span className={row.reason ? "max-sm:hidden" : ""}>
          <StateBadge state={row.state} />
        </span>
        {canSendAnyway(row) && (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Send anyway to ${label}`}
            onClick={() => onChoose([row.number], "sendAnyway")}
          >
            Send anyway
          </Button>
        )}
        <Button
          ref={editButton}
          variant={row.state === "invalid" ? "secondary" : "ghost"}
          size="sm"
          aria-label={`${editLabel} ${label}`}
          onClick={() => setEditing(true)}
        >
          {editLabel}
        </Button>
        {isOut ? (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Put back ${label}`}
            onClick={() => onChoose([row.number], null)}
          >
            Put back
          </Button>
        ) : (
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Leave out ${label}`}
            onClick={() => onChoose([row.number], "leaveOut")}
          >
            Leave out
          </Button>
        )}
      </div>
    </li>
  );
}

const BADGES: Partial<Record<RowState, { tone: "red" | "amber" | "stone"; label: string }>> = {
  invalid: { tone: "red", label: "Needs a fix" },
  repeated: { tone: "amber", label: "Listed twice" },
  waiting: { tone: "amber", label: "Has it already" },
  leftOut: { tone: "stone", label: "Left out" },
};

function StateBadge({ state }: { state: RowState }) {
  const badge = BADGES[state];
  return badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : null;
}
