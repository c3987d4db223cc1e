import { Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from "react";

type Trigger = (props: ComponentProps<"button">) => ReactElement;
type Props = { kind: "menu" | "dialog"; trigger: Trigger; children: ReactNode };

/** A menu is only its button until someone uses it; what is fetched then comes up open, with a button of its own. */
export function OnDemand({ kind, trigger, children }: Props) {
  const [wanted, setWanted] = useState(false);
  if (!wanted) {
    return trigger({ onClick: () => setWanted(true), "aria-haspopup": kind, "aria-expanded": false });
  }
  return <Suspense fallback={trigger({ "aria-haspopup": kind, "aria-busy": true })}>{children}</Suspense>;
}
