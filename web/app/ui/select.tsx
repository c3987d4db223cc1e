import { cx } from "class-variance-authority";
import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";

/** Uses the native select, which is easiest to use on phones. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className="relative block">
      <select
        className={cx(
          "h-11 w-full appearance-none rounded-control border border-edge bg-surface ps-3.5 pe-10 text-base text-foreground transition-colors hover:border-muted focus-visible:border-forest focus-visible:outline-offset-0 aria-invalid:border-red",
          className,
        )}
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        className="pointer-events-none absolute inset-y-0 end-3 my-auto size-4.5 text-muted"
        aria-hidden
      />
    </span>
  );
}
