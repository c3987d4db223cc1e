import type { ComponentProps } from "react";
import { Button } from "~/ui/button";

export function AvatarButton({ person, ...rest }: ComponentProps<"button"> & { person: string }) {
  return (
    <Button {...rest} variant="ghost" size="icon" aria-label="Account menu">
      <span className="grid size-8 place-items-center rounded-full bg-forest text-sm font-semibold text-on-forest uppercase">
        {[...person.trim()][0] ?? "?"}
      </span>
    </Button>
  );
}
