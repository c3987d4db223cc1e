import type { ReactNode } from "react";
import { Link } from "react-router";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { FormField, FormProblem, Honeypot } from "~/features/marketing/components/form-field";
import { PageHero } from "~/features/marketing/components/page-hero";

export const meta = () =>
  publicHead({
    title: "Contact · Cairn",
    description: "Write to us: questions, wishes, something that does not work.",
    path: "/contact",
  });

export default function Contact() {
  return (
    <>
      <PageHero
        seed="confluence"
        title="Write to us"
        lead="A question, a wish, something that does not work: a person reads it."
      />
      <div className="mx-auto grid max-w-6xl gap-14 px-4 py-14 sm:px-6 sm:py-18 lg:grid-cols-[1.5fr_1fr]">
        <form method="post" action={paths.contact} className="relative grid max-w-xl gap-5">
          <FormProblem />
          <FormField name="name" label="Your name" autoComplete="name" maxLength={200} required />
          <FormField
            name="email"
            label="Your email"
            hint="We answer to this address and use it for nothing else."
            type="email"
            autoComplete="email"
            maxLength={320}
            required
          />
          <FormField name="company" label="Your business" autoComplete="organization" maxLength={200} />
          <FormField name="message" label="Message" rows={7} maxLength={5000} required />
          <Honeypot />
          <Button type="submit" size="lg" className="justify-self-start">
            Send message
          </Button>
          <p className="text-sm text-muted">
            What we keep of it is told on the{" "}
            <Link to={paths.privacy} className="underline underline-offset-4">
              privacy page
            </Link>
            .
          </p>
        </form>
        <aside className="grid content-start gap-8 lg:border-s lg:border-line lg:ps-12">
          <Hint title="Asked to sign a waiver?">
            The business that sent it to you can change or withdraw it. Answer to the mail you got: it reaches
            them, not us.
          </Hint>
          <Hint title="Checking a document?">
            <Link to={paths.verify} className="underline underline-offset-4">
              Verify it here
            </Link>
            , without an account and without asking anyone.
          </Hint>
          <Hint title="Found a weakness?">
            Please write to us here first, with what you saw and how to see it again. The{" "}
            <Link to={paths.security} className="underline underline-offset-4">
              security page
            </Link>{" "}
            says what we do.
          </Hint>
        </aside>
      </div>
    </>
  );
}

function Hint({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 text-muted">{children}</p>
    </div>
  );
}
