import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import { Slot } from "radix-ui";
import type { ComponentProps } from "react";

const styles = cva(
  "inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors duration-150 select-none disabled:cursor-not-allowed disabled:opacity-60 [&_svg]:size-4.5 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-forest text-on-forest hover:bg-forest-deep",
        secondary: "border border-edge/60 bg-surface text-foreground hover:bg-sunken",
        ghost: "text-muted hover:bg-sunken hover:text-foreground",
        danger: "bg-red text-ground hover:bg-red-text",
        // The last two variants are for a background that is dark in both themes.
        light: "bg-[oklch(0.97_0.02_140)] text-[oklch(0.27_0.055_158)] hover:bg-[oklch(0.91_0.04_150)]",
        outlined:
          "border border-[oklch(0.62_0.05_155)] text-[oklch(0.96_0.02_150)] hover:bg-[oklch(0.34_0.06_158)]",
      },
      size: {
        md: "h-11 px-4 text-[0.9375rem] md:h-10",
        lg: "h-12 px-6 text-base",
        sm: "h-11 px-3 text-sm md:h-9",
        icon: "size-11 md:size-10",
      },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

type Props = ComponentProps<"button"> & VariantProps<typeof styles> & { asChild?: boolean; busy?: boolean };

export function Button({ variant, size, className, asChild, busy, children, ...rest }: Props) {
  if (asChild) {
    return (
      <Slot.Root className={styles({ variant, size, className })} {...rest}>
        {children}
      </Slot.Root>
    );
  }
  return (
    <button
      type="button"
      {...rest}
      disabled={busy || rest.disabled}
      className={styles({ variant, size, className })}
    >
      {busy && <LoaderCircle className="animate-spin" aria-hidden />}
      {children}
    </button>
  );
}
