import type { ComponentProps } from "react";
import { Avatar } from "~/ui/avatar";
import { Button } from "~/ui/button";

type Props = ComponentProps<"button"> & { name: string; picture?: string | null | undefined };

export function AvatarButton({ name, picture, ...rest }: Props) {
  return (
    <Button {...rest} variant="ghost" size="icon" aria-label="Account menu">
      <Avatar name={name} picture={picture} size={32} />
    </Button>
  );
}
