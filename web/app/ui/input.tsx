import { cx } from "class-variance-authority";
import type { ComponentProps } from "react";

const styles =
  "w-full rounded-control border border-edge bg-surface px-3.5 text-base text-foreground transition-colors placeholder:text-muted/70 hover:border-muted focus-visible:border-forest focus-visible:outline-offset-0 scroll-mt-10 read-only:not-disabled:border-line read-only:not-disabled:bg-ground disabled:border-line disabled:bg-sunken disabled:text-muted aria-invalid:border-red";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input className={cx(styles, "h-11", className)} {...rest} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      className={cx(styles, "min-h-24 resize-y read-only:resize-none py-2.5 leading-relaxed", className)}
      {...rest}
    />
  );
}
