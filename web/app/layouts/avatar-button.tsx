import type { ComponentProps } from "react";
import { Avatar } from "~/ui/avatar";
import { Button } from "~/ui/button";

type Props = ComponentProps<"button"> & { person: string; picture?: string | null | undefined };

export function AvatarButton({ person, picture, ...rest }: Props) {
  return (
    <Button {...rest} variant="ghost" size="icon" aria-label="Account menu">
      <Avatar person={person} picture={picture} size={32} />
    </Button>
  );
}
