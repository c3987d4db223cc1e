import { AuthForm } from "~/features/account/components/auth-form";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";

export const meta = () =>
  publicHead({
    title: "Sign in · Cairn",
    description:
      "Sign in to your Cairn account, or create a new one, and see which of your guests have signed.",
    path: paths.signIn,
  });

export default function SignIn() {
  return (
    <>
      <h1 className="font-display text-4xl font-bold tracking-tight">Welcome to Cairn</h1>
      <p className="mt-2 mb-8 text-muted">Sign in to your account or create a new one</p>
      <AuthForm key="signin" initialMode="signin" />
    </>
  );
}
