import { cx } from "class-variance-authority";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Checkbox } from "~/ui/checkbox";
import type { Order } from "../model";
import type { Columns } from "../use-virtual-rows";

type Props = {
  columns: Columns;
  isEmpty: boolean;
  order: Order;
  onOrder: (order: Order) => void;
  selected: "none" | "some" | "all";
  onSelectAll: () => void;
};

const cellClasses =
  "h-12 border-b border-line bg-surface px-2 text-start text-[0.8125rem] font-medium text-muted sm:px-3";

export function DirectoryHead({ columns, isEmpty, order, onOrder, selected, onSelectAll }: Props) {
  const sortProps = { order, onOrder };
  return (
    // The thead is sticky instead of its cells, so that the browser handles one layer instead of one per cell.
    <thead className="sticky top-[calc(4rem+var(--banner-height,0px))] z-10">
      <tr aria-rowindex={1}>
        {/* This is a td, because the checkbox is not a heading. */}
        <td className={cx(cellClasses, "w-11 rounded-tl-card ps-1 sm:w-14 sm:ps-2")}>
          <Checkbox
            label="Select all shown"
            checked={selected === "all"}
            isIndeterminate={selected === "some"}
            onChange={onSelectAll}
            disabled={isEmpty}
          />
        </td>
        {columns === "wide" && (
          <th scope="col" className={cx(cellClasses, "w-[23%]")}>
            Template
          </th>
        )}
        <SortableColumn {...sortProps} ascending="a-z" descending="z-a">
          Recipient/Signer
        </SortableColumn>
        {columns !== "narrow" && (
          <>
            <th scope="col" className={cx(cellClasses, "w-34")}>
              Status
            </th>
            <SortableColumn {...sortProps} ascending="oldest" descending="newest" className="w-32">
              Date
            </SortableColumn>
          </>
        )}
        <th
          scope="col"
          className={cx(
            cellClasses,
            "rounded-tr-card",
            columns === "wide" ? "w-44 ps-6" : "w-24 ps-4 sm:w-28 sm:ps-6",
          )}
        >
          Actions
        </th>
      </tr>
    </thead>
  );
}

type SortableColumnProps = Pick<Props, "order" | "onOrder"> & {
  ascending: Order;
  descending: Order;
  className?: string;
  children: ReactNode;
};

/**
 * Clicking the header sorts by this column; clicking again reverses the order. At first, dates are sorted newest first
 * and names from A to Z.
 */
function SortableColumn({ order, onOrder, ascending, descending, className, children }: SortableColumnProps) {
  const isAscending = order === ascending;
  const isDescending = order === descending;
  let nextOrder = descending === "newest" ? descending : ascending;
  if (isAscending) nextOrder = descending;
  if (isDescending) nextOrder = ascending;
  const direction = isAscending ? "ascending" : "descending";
  const Icon = isAscending ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={isAscending || isDescending ? direction : "none"}
      className={cx(cellClasses, className)}
    >
      <button
        type="button"
        onClick={() => onOrder(nextOrder)}
        className="inline-flex h-11 items-center gap-1 rounded font-medium hover:text-foreground"
      >
        {children}
        {(isAscending || isDescending) && <Icon className="size-3.5" aria-hidden />}
      </button>
    </th>
  );
}
