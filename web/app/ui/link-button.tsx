import type { ComponentProps } from "react";
import { Link } from "react-router";
import { Button } from "./button";

type Props = Pick<ComponentProps<typeof Button>, "variant" | "size" | "className" | "children"> & {
  to: string;
};

/** Renders a link that looks like a button. */
export function LinkButton({ to, children, ...rest }: Props) {
  return (
    <Button asChild {...rest}>
      <Link to={to}>{children}</Link>
    </Button>
  );
}
