import { cx } from "class-variance-authority";
import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Checkbox } from "~/ui/checkbox";
import type { Order } from "../model";

type Props = {
  isWide: boolean;
  isEmpty: boolean;
  order: Order;
  onOrder: (order: Order) => void;
  selected: "none" | "some" | "all";
  onSelectAll: () => void;
};

const cell =
  "h-12 border-b border-line bg-surface px-2 text-start text-[0.8125rem] font-medium text-muted sm:px-3";

export function DirectoryHead({ isWide, isEmpty, order, onOrder, selected, onSelectAll }: Props) {
  const sortProps = { order, onOrder };
  return (
    // Sticky on the thead, so that the browser handles one layer instead of one per cell.
    <thead className="sticky top-[calc(4rem+var(--banner,0px))] z-10">
      <tr aria-rowindex={1}>
        {/* A td, because the checkbox is not a heading. */}
        <td className={cx(cell, "w-11 rounded-tl-card ps-1 sm:w-14 sm:ps-2")}>
          <Checkbox
            label="Select all shown"
            checked={selected === "all"}
            some={selected === "some"}
            onChange={onSelectAll}
            disabled={isEmpty}
          />
        </td>
        {isWide && (
          <th scope="col" className={cx(cell, "w-[24%]")}>
            Template
          </th>
        )}
        <SortableColumn {...sortProps} up="a-z" down="z-a">
          Recipient/Signer
        </SortableColumn>
        {isWide && (
          <>
            <th scope="col" className={cx(cell, "w-32")}>
              Status
            </th>
            <SortableColumn {...sortProps} up="oldest" down="newest" className="w-36">
              Date
            </SortableColumn>
          </>
        )}
        <th scope="col" className={cx(cell, "rounded-tr-card", isWide ? "w-44 ps-6" : "w-24 ps-4")}>
          Actions
        </th>
      </tr>
    </thead>
  );
}

type SortableColumnProps = Pick<Props, "order" | "onOrder"> & {
  up: Order;
  down: Order;
  className?: string;
  children: ReactNode;
};

/** Clicking the header sorts by this column; clicking again reverses the order. */
function SortableColumn({ order, onOrder, up, down, className, children }: SortableColumnProps) {
  const isUp = order === up;
  const isDown = order === down;
  const next = isUp || (!isDown && down === "newest") ? down : up;
  const Icon = isUp ? ArrowUp : ArrowDown;
  return (
    <th
      scope="col"
      aria-sort={isUp ? "ascending" : isDown ? "descending" : "none"}
      className={cx(cell, className)}
    >
      <button
        type="button"
        onClick={() => onOrder(next)}
        className="inline-flex h-11 items-center gap-1 rounded font-medium hover:text-foreground"
      >
        {children}
        {(isUp || isDown) && <Icon className="size-3.5" aria-hidden />}
      </button>
    </th>
  );
}
