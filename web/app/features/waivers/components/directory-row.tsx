import { cx } from "class-variance-authority";
import { memo } from "react";
import { Checkbox } from "~/ui/checkbox";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";
import type { DirectoryRow } from "../model";
import { DownloadButton } from "./download-button";
import { GuestName } from "./guest-name";
import { ViewLink } from "./view-link";

type Props = {
  row: DirectoryRow;
  index: number;
  height: number;
  isWide: boolean;
  isCurrent: boolean;
  isSelected: boolean;
  onToggle: (row: DirectoryRow) => void;
  onFocus: (index: number) => void;
};

export const cellClasses = "border-b border-line px-2 sm:px-3";

/** On a narrow screen the other columns appear below the name. All rows have the same height; long text is truncated. */
export const DirectoryTableRow = memo(function DirectoryTableRow({
  row,
  index,
  height,
  isWide,
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
      {isWide && <td className={cx(cellClasses, "truncate")}>{row.templateName}</td>}
      <td className={cellClasses}>
        <GuestName name={row.name} template={row.templateName}>
          {row.email}
        </GuestName>
        {!isWide && (
          <span className="mt-1 flex items-center gap-2 text-sm whitespace-nowrap">
            <Status kind={row.status} /> <RelativeTime at={row.at} />
          </span>
        )}
      </td>
      {isWide && (
        <>
          <td className={cellClasses}>
            <Status kind={row.status} />
          </td>
          <td className={cx(cellClasses, "truncate")}>
            <RelativeTime at={row.at} />
          </td>
        </>
      )}
      <td className={cx(cellClasses, "max-md:px-1 sm:pe-2")}>
        <div className="flex max-md:flex-col">
          <ViewLink row={row} />
          {row.type === "signed" && row.status !== "erased" && <DownloadButton row={row} />}
        </div>
      </td>
    </tr>
  );
});
