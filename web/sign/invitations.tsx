import { useEffect, useRef } from "react";
import type { InvitationsProps } from "../app/features/signing/form/adult-invitations";
import type { Waiver } from "./waiver";

/**
 * Shows the links with which invited adults sign. Most families need none, so the page loads this part only
 * if someone adds an adult. Without a connection, the page still says that an adult signs for themselves.
 */
export function Invitations(props: InvitationsProps & { waiver: Waiver }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(
    () =>
      void import("./invite").then(
        ({ show }) => show(place.current, props),
        () => {},
      ),
  );
  return <div ref={place} />;
}
