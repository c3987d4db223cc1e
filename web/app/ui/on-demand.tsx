import { Suspense, useState, type ComponentProps, type ReactElement, type ReactNode } from "react";

type Trigger = (props: ComponentProps<"button">) => ReactElement;
type Props = { kind: "menu" | "dialog"; trigger: Trigger; children: ReactNode };

/** Shows only the button until it is clicked. A click loads the children, and they open immediately. */
export function OnDemand({ kind, trigger, children }: Props) {
  const [isRequested, setRequested] = useState(false);
  if (!isRequested) {
    return trigger({ onClick: () => setRequested(true), "aria-haspopup": kind, "aria-expanded": false });
  }
  return <Suspense fallback={trigger({ "aria-haspopup": kind, "aria-busy": true })}>{children}</Suspense>;
}
