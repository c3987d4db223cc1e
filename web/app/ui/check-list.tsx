import { cx } from "class-variance-authority";
import { Check } from "lucide-react";

type Props = { items: string[]; inPreparation?: string[]; className: string; itemClassName: string };

/** Lists what a plan includes, with a tick before each item. Items in preparation have no tick and say so. */
export function CheckList({ items, inPreparation = [], className, itemClassName }: Props) {
  return (
    <ul className={cx("grid", className)}>
      {items.map((item) => (
        <li key={item} className={cx("flex", itemClassName)}>
          {inPreparation.includes(item) ? (
            <>
              <span className="size-4 shrink-0" aria-hidden />
              <span>
                {item} <span className="text-muted">(in preparation)</span>
              </span>
            </>
          ) : (
            <>
              <Check className="mt-1 size-4 shrink-0 text-forest" strokeWidth={2.5} aria-hidden />
              {item}
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
