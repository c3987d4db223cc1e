import { cva, type VariantProps } from "class-variance-authority";
import type { ReactNode } from "react";

const styles = cva(
  "inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-[0.8125rem] font-medium whitespace-nowrap [&_svg]:size-3.5",
  {
    variants: {
      tone: {
        forest: "bg-forest-soft text-forest-text",
        amber: "bg-amber-soft text-amber-text",
        stone: "bg-sunken text-muted",
        red: "bg-red-soft text-red-text",
      },
    },
    defaultVariants: { tone: "stone" },
  },
);

type Props = VariantProps<typeof styles> & { children: ReactNode };

export function Badge({ tone, children }: Props) {
  return <span className={styles({ tone })}>{children}</span>;
}
