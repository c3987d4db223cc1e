import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { Button } from "~/ui/button";

type Props = ComponentProps<typeof Button> & { icon: LucideIcon; label: string; name: string };

/** The accessible name of this button includes the template, because the visible label is the same on every card. */
export function CardButton({ icon: Icon, label, name, ...rest }: Props) {
  return (
    <Button variant="secondary" size="sm" aria-label={name} {...rest}>
      <Icon aria-hidden /> {label}
    </Button>
  );
}
