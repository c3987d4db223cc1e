import { AuthForm } from "~/features/account/components/auth-form";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { Badge } from "~/ui/badge";

export const meta = () =>
  publicHead({
    title: "Sign up · Cairn",
    description:
      "Create your Cairn account and start managing waivers today. Free for 7 days, no credit card required.",
    path: paths.signUp,
  });

export default function SignUp() {
  return (
    <>
      <div className="mb-4">
        <Badge tone="forest">Free 7-day trial • No credit card required</Badge>
      </div>
      <h1 className="font-display text-4xl font-bold tracking-tight">Get started with Cairn</h1>
      <p className="mt-2 mb-8 text-muted">Create your account and start managing waivers today</p>
      <AuthForm key="signup" initialMode="signup" />
    </>
  );
}
