import { VisitorsOnly } from "~/features/account/components/visitors-only";
import AuthFrame from "./auth-frame";

/** Lays out sign-in and sign-up, and redirects users who are already signed in. */
export default function AuthLayout() {
  return (
    <VisitorsOnly>
      <AuthFrame />
    </VisitorsOnly>
  );
}
