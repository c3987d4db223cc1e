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
  chosen: "none" | "some" | "all";
  onChooseAll: () => void;
};

const cell =
  "h-12 border-b border-line bg-surface px-2 text-start text-[0.8125rem] font-medium text-muted sm:px-3";

export function DirectoryHead({ isWide, isEmpty, order, onOrder, chosen, onChooseAll }: Props) {
  const sorting = { order, onOrder };
  return (
    // One layer for the browser to keep in place, not one a cell.
    <thead className="sticky top-[calc(4rem+var(--banner,0px))] z-10">
      <tr aria-rowindex={1}>
        {/* Not a heading of anything: it holds a control. */}
        <td className={cx(cell, "w-11 rounded-tl-card ps-1 sm:w-14 sm:ps-2")}>
          <Checkbox
            label="Select all shown"
            checked={chosen === "all"}
            some={chosen === "some"}
            onChange={onChooseAll}
            disabled={isEmpty}
          />
        </td>
        {isWide && (
          <th scope="col" className={cx(cell, "w-[24%]")}>
            Template
          </th>
        )}
        <SortedBy {...sorting} up="a-z" down="z-a">
          Recipient/Signer
        </SortedBy>
        {isWide && (
          <>
            <th scope="col" className={cx(cell, "w-32")}>
              Status
            </th>
            <SortedBy {...sorting} up="oldest" down="newest" className="w-36">
              Date
            </SortedBy>
          </>
        )}
        <th scope="col" className={cx(cell, "rounded-tr-card", isWide ? "w-44 ps-6" : "w-24 ps-4")}>
          Actions
        </th>
      </tr>
    </thead>
  );
}

type SortedProps = Pick<Props, "order" | "onOrder"> & {
  up: Order;
  down: Order;
  className?: string;
  children: ReactNode;
};

/** A column that can be the order: clicked once it is, clicked again it is the other way round. */
function SortedBy({ order, onOrder, up, down, className, children }: SortedProps) {
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
