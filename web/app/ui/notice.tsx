import { cva, type VariantProps } from "class-variance-authority";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Button } from "./button";

const styles = cva(
  "flex items-start gap-3 rounded-card border px-4 py-3 text-[0.9375rem] [&>svg]:mt-0.5 [&>svg]:size-5 [&>svg]:shrink-0",
  {
    variants: {
      tone: {
        stone: "border-line bg-sunken/60 text-muted [&_strong]:text-foreground",
        amber: "border-amber-text/25 bg-amber-soft text-amber-text",
        red: "border-red/30 bg-red-soft text-red-text",
      },
    },
    defaultVariants: { tone: "stone" },
  },
);

type Props = VariantProps<typeof styles> & {
  icon: LucideIcon;
  title?: string;
  action?: ReactNode;
  children: ReactNode;
};

export function Notice({ tone, icon: Icon, title, action, children }: Props) {
  return (
    <div className={styles({ tone })}>
      <Icon aria-hidden />
      {/* An action that does not fit beside the text wraps below the text, not below the icon. */}
      <div className="flex min-w-0 grow flex-wrap items-start gap-3">
        <p className="min-w-0 grow basis-56">
          {title && <strong className="me-1.5 font-semibold">{title}</strong>}
          {children}
        </p>
        {action}
      </div>
    </div>
  );
}

/** The action of a notice. Its negative margin keeps it from making the notice higher than its text. */
export function NoticeButton(props: ComponentProps<typeof Button>) {
  return <Button variant="secondary" size="sm" className="sm:-my-1.5" {...props} />;
}
