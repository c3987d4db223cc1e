import { cx } from "class-variance-authority";
import { Check } from "lucide-react";

type Props = { items: string[]; className: string; itemClassName: string };

/** Lists what a plan includes, with a tick before each item. */
export function CheckList({ items, className, itemClassName }: Props) {
  return (
    <ul className={cx("grid", className)}>
      {items.map((item) => (
        <li key={item} className={cx("flex", itemClassName)}>
          <Check className="mt-1 size-4 shrink-0 text-forest" strokeWidth={2.5} aria-hidden />
          {item}
        </li>
      ))}
    </ul>
  );
}
