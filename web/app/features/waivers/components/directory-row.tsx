import { cx } from "class-variance-authority";
import { memo } from "react";
import { Checkbox } from "~/ui/checkbox";
import { RelativeTime } from "~/ui/relative-time";
import { Status } from "~/ui/status";
import type { DirectoryRow } from "../model";
import { DownloadButton } from "./download-button";
import { Guest } from "./guest";
import { ViewButton } from "./view-button";

type Props = {
  row: DirectoryRow;
  index: number;
  height: number;
  isWide: boolean;
  isCurrent: boolean;
  isChosen: boolean;
  onView: (row: DirectoryRow) => void;
  onToggle: (row: DirectoryRow) => void;
  onFocus: (index: number) => void;
};

export const cell = "border-b border-line px-2 sm:px-3";

/** On a narrow screen the columns stand below the name. Each row is as high as every other: what is too long is cut, and whole once it is opened. */
export const WaiverRow = memo(function WaiverRow({
  row,
  index,
  height,
  isWide,
  isCurrent,
  isChosen,
  ...on
}: Props) {
  return (
    <tr
      data-index={index}
      aria-rowindex={index + 2}
      tabIndex={isCurrent ? 0 : -1}
      onFocus={() => on.onFocus(index)}
      style={{ height }}
      className={cx("-outline-offset-2", isChosen ? "bg-forest-soft/50" : "hover:bg-sunken/50")}
    >
      <td className="border-b border-line ps-1 sm:ps-2">
        <Checkbox
          label={`Select waiver of ${row.name}`}
          checked={isChosen}
          onChange={() => on.onToggle(row)}
        />
      </td>
      {isWide && <td className={cx(cell, "truncate")}>{row.templateName}</td>}
      <td className={cell}>
        <Guest name={row.name} template={row.templateName}>
          {row.email}
        </Guest>
        {!isWide && (
          <span className="mt-1 flex items-center gap-2 text-sm whitespace-nowrap">
            <Status kind={row.status} /> <RelativeTime at={row.at} />
          </span>
        )}
      </td>
      {isWide && (
        <>
          <td className={cell}>
            <Status kind={row.status} />
          </td>
          <td className={cx(cell, "truncate")}>
            <RelativeTime at={row.at} />
          </td>
        </>
      )}
      <td className={cx(cell, "max-md:px-1 sm:pe-2")}>
        <div className="flex max-md:flex-col">
          <ViewButton guest={row.name} onView={() => on.onView(row)} />
          {row.type === "signed" && <DownloadButton row={row} />}
        </div>
      </td>
    </tr>
  );
});
