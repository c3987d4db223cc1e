import { cx } from "class-variance-authority";
import type { ComponentProps } from "react";

export function Card({ className, ...rest }: ComponentProps<"section">) {
  return <section className={cx("rounded-card border border-line bg-surface", className)} {...rest} />;
}
