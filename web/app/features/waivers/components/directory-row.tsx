import { cx } from "class-variance-authority";
import { memo } from "react";
import { Checkbox } from "~/ui/checkbox";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";
import type { DirectoryRow } from "../model";
import type { Columns } from "../use-virtual-rows";
import { DownloadButton } from "./download-button";
import { RowPeople } from "./row-people";
import { ViewLink } from "./view-link";

type Props = {
  row: DirectoryRow;
  index: number;
  height: number;
  columns: Columns;
  isCurrent: boolean;
  isSelected: boolean;
  onToggle: (row: DirectoryRow) => void;
  onFocus: (index: number) => void;
};

export const cellClasses = "border-b border-line px-2 sm:px-3";

/**
 * On a narrow screen other columns appear below the name. The height of a row is known before it is rendered: a long name has two
 * lines, minors and flags have one line each, and other text is truncated.
 */
export const DirectoryTableRow = memo(function DirectoryTableRow({
  row,
  index,
  height,
  columns,
  isCurrent,
  isSelected,
  ...handlers
}: Props) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => handlers.onFocus(index)}
      style={{ height }}
      className={cx("-outline-offset-2", isSelected ? "bg-forest-soft/50" : "hover:bg-sunken/50")}
    >
      <td className="border-b border-line ps-1 sm:ps-2">
        <Checkbox
          label={`Select waiver of ${row.name}`}
          checked={isSelected}
          onChange={() => handlers.onToggle(row)}
        />
      </td>
      {columns === "wide" && (
        <td className={cellClasses}>
          <span className="line-clamp-2 leading-5 wrap-anywhere">{row.templateName}</span>
        </td>
      )}
      <td className={cellClasses}>
        <span dir="auto" className="line-clamp-2 leading-5 font-medium wrap-anywhere">
          {row.name}
        </span>
        {(row.minors.length > 0 || row.flags.length > 0) && <RowPeople row={row} />}
        <span className="block truncate text-sm text-muted">{row.email}</span>
        {columns !== "wide" && <span className="block truncate text-sm text-muted">{row.templateName}</span>}
        {columns === "narrow" && (
          <span className="mt-1 flex items-center gap-2 text-sm whitespace-nowrap">
            <Status kind={row.status} />
            <span className="min-w-0 [&>button]:block [&>button]:max-w-full [&>button]:truncate">
              <RelativeTime at={row.at} />
            </span>
          </span>
        )}
      </td>
      {columns !== "narrow" && (
        <>
          <td className={cellClasses}>
            <Status kind={row.status} />
          </td>
          <td className={cx(cellClasses, "truncate")}>
            <RelativeTime at={row.at} />
          </td>
        </>
      )}
      <td className={cx(cellClasses, columns !== "wide" && "px-1", "sm:pe-2")}>
        <div className={cx("flex", columns !== "wide" && "flex-col items-start")}>
          <ViewLink row={row} />
          {row.type === "signed" && row.status !== "erased" && <DownloadButton row={row} />}
        </div>
      </td>
    </tr>
  );
});
