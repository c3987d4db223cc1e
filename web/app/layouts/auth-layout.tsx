import { VisitorsOnly } from "~/features/account/components/visitors-only";
import AuthFrame from "./auth-frame";

/** Sign-in and sign-up, which redirect users who are already signed in. */
export default function AuthLayout() {
  return (
    <VisitorsOnly>
      <AuthFrame />
    </VisitorsOnly>
  );
}
