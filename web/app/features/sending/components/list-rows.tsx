import { useReducer, useRef, useState } from "react";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { CheckboxField } from "~/ui/checkbox-field";
import { needsAttention, summary, type ListRow } from "../list/build-rows";
import { PreviewRow, type RowActions } from "./list-row";
import { useFocusIfLost } from "./use-focus-if-lost";

type Props = RowActions & { rows: ListRow[]; withPhoneNumbers: boolean };

/** A longer list is shown as a whole on request, because the button that sends it is below the rows. */
const FIRST_ROWS = 50;

/** Shows the rows of the list as they will be stored. */
export function ListRows({ rows, withPhoneNumbers, onEdit, onChoose }: Props) {
  const [isFiltered, setFiltered] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const [actCount, countAct] = useReducer((count: number) => count + 1, 0);
  const title = useRef<HTMLHeadingElement>(null);
  // A row that is no longer marked leaves the filtered list together with its focused button.
  useFocusIfLost(title, actCount);
  const actions: RowActions = {
    onEdit: (...edit) => {
      onEdit(...edit);
      countAct();
    },
    onChoose: (...choice) => {
      onChoose(...choice);
      countAct();
    },
  };
  const marked = rows.filter(needsAttention);
  const isFilterShown = marked.length > 0 && marked.length < rows.length;
  const matching = isFiltered && isFilterShown ? marked : rows;
  const shown = isWhole ? matching : matching.slice(0, FIRST_ROWS);
  const showAll = () => {
    setWhole(true);
    countAct();
  };
  return (
    <Card aria-labelledby="preview-title">
      <div className="flex flex-col gap-2 border-b border-line px-4 py-4 sm:px-5">
        <h2 id="preview-title" ref={title} tabIndex={-1} className="font-semibold outline-none">
          Preview
        </h2>
        <p role="status" className="text-muted">
          {summary(rows)}
        </p>
        {marked.length > 0 && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            {isFilterShown && (
              <CheckboxField checked={isFiltered} onChange={({ target }) => setFiltered(target.checked)}>
                Show only marked rows
              </CheckboxField>
            )}
            <ChooseForAll marked={marked} onChoose={actions.onChoose} />
          </div>
        )}
      </div>
      <ul aria-label="Rows" className="divide-y divide-line">
        {shown.map((row) => (
          <PreviewRow key={row.number} row={row} withPhoneNumbers={withPhoneNumbers} {...actions} />
        ))}
      </ul>
      {shown.length < matching.length && (
        <div className="border-t border-line p-3 text-center">
          <Button variant="secondary" size="sm" onClick={showAll}>
            Show all {matching.length} rows
          </Button>
        </div>
      )}
    </Card>
  );
}

function ChooseForAll({ marked, onChoose }: { marked: ListRow[]; onChoose: RowActions["onChoose"] }) {
  const invalid = marked.filter(({ state }) => state === "invalid").map(({ number }) => number);
  const waiting = marked.filter(({ state }) => state === "waiting").map(({ number }) => number);
  return (
    <>
      {invalid.length > 1 && (
        <Button variant="ghost" size="sm" className="-ms-3" onClick={() => onChoose(invalid, "leaveOut")}>
          Leave out all {invalid.length} that need a fix
        </Button>
      )}
      {waiting.length > 1 && (
        <Button variant="ghost" size="sm" className="-ms-3" onClick={() => onChoose(waiting, "sendAnyway")}>
          Send to all {waiting.length} who have it already
        </Button>
      )}
    </>
  );
}
