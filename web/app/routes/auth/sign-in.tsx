import { AuthForm } from "~/features/account/components/auth-form";

export const meta = () => [{ title: "Sign in · Cairn" }];

export default function SignIn() {
  return (
    <>
      <h1 className="font-display text-4xl font-bold tracking-tight">Welcome to Cairn</h1>
      <p className="mt-2 mb-8 text-ink-soft">Sign in to your account or create a new one</p>
      <AuthForm key="signin" initialMode="signin" />
    </>
  );
}
