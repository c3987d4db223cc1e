import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { RowText } from "~/ui/row-text";
import type { UnsentRow } from "../list/list-run";
import { RowReason } from "./row-reason";

type Props = {
  rows: UnsentRow[];
  /** Undefined while the other rows are being sent. */
  onFix?: () => void;
};

/** Lists the rows that were marked in the preview, with the reason, and takes them back to a preview. */
export function UnsentRows({ rows, onFix }: Props) {
  return (
    <Card aria-labelledby="unsent-title">
      <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-4 sm:px-5">
        <h2 id="unsent-title" className="font-semibold">
          {rows.length === 1 ? "1 row was not sent" : `${rows.length} rows were not sent`}
        </h2>
        {onFix && (
          <Button variant="secondary" size="sm" onClick={onFix}>
            {rows.length === 1 ? "Fix this row" : "Fix these rows"}
          </Button>
        )}
      </div>
      <ul aria-labelledby="unsent-title" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.number} className="px-4 py-3 sm:px-5">
            <RowText name={row.name || "No name"} className="">
              <p className="text-sm wrap-anywhere text-muted">
                <bdi>{row.email || "No email address"}</bdi>
              </p>
              <RowReason tone="amber">{row.reason}</RowReason>
            </RowText>
          </li>
        ))}
      </ul>
    </Card>
  );
}
