import { Link } from "react-router";
import { PasswordRecovery } from "~/features/account/components/password-recovery";
import { paths } from "~/paths";

export const meta = () => [{ title: "Forgot password · Cairn" }, { name: "robots", content: "noindex" }];

export default function ForgotPassword() {
  return (
    <>
      <h1 className="font-display text-4xl font-bold tracking-tight">A new password</h1>
      <p className="mt-2 mb-8 text-muted">Your account and everything in it stays as it is</p>
      <PasswordRecovery />
      <p className="mt-6 text-center">
        <Link
          to={paths.signIn}
          className="inline-flex min-h-11 items-center rounded font-medium text-forest-text underline decoration-forest/40 underline-offset-4 hover:decoration-forest"
        >
          Back to sign in
        </Link>
      </p>
    </>
  );
}
