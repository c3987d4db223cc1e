import { Flag } from "lucide-react";
import type { DirectoryRow } from "../model";
import { minorsText } from "../row-people";

/** Names the minors for whom a waiver was signed, and what staff should know about its people. Each is one line. */
export function RowPeople({ row: { name, minors, flags } }: { row: DirectoryRow }) {
  return (
    <>
      {minors.length > 0 && (
        <span className="block truncate text-sm">
          {minorsText(minors, name).map((part, index) => (
            // The direction of a name does not affect the text around it.
            <bdi key={index}>{part}</bdi>
          ))}
        </span>
      )}
      {flags.length > 0 && (
        <span className="mt-1 flex items-center gap-1.5 text-sm text-amber-text">
          <Flag className="size-3.5 shrink-0" aria-hidden />
          <span className="truncate">
            <span className="sr-only">Flags: </span>
            {flags.join(", ")}
          </span>
        </span>
      )}
    </>
  );
}
