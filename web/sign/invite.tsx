import { createRoot } from "react-dom/client";
import { AdultInvitations, type InvitationsProps } from "../app/features/signing/form/adult-invitations";
import style from "../app/features/signing/form/adult-invitations.css?inline";
import { anonKey } from "../app/lib/anon-key";
import { functionCaller } from "./functions";
import { invitationApi } from "./invitation-api";
import { restClient } from "./rest";
import type { Waiver } from "./waiver";

const roots = new WeakMap<Element, ReturnType<typeof createRoot>>();

/** Shows the invitations of adults in this element of the signing page, which loads this file when it needs it. */
export function show(
  element: HTMLElement | null,
  { waiver, ...props }: InvitationsProps & { waiver: Waiver },
) {
  if (!element) return;
  const root = roots.get(element) ?? createRoot(element);
  roots.set(element, root);
  root.render(<AdultInvitations {...props} api={apiOf(waiver)} />);
}

let api: { waiver: Waiver; value: ReturnType<typeof invitationApi> } | null = null;

/** The same waiver always gets the same object, so that nothing is loaded again for each keystroke. */
function apiOf(waiver: Waiver) {
  if (api?.waiver !== waiver) {
    const key = anonKey();
    api = { waiver, value: invitationApi(restClient(key), functionCaller(key), waiver) };
  }
  return api.value;
}

const sheet = document.createElement("style");
sheet.textContent = style;
document.head.append(sheet);
