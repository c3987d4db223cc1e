import type { ReactNode } from "react";
import { Link } from "react-router";
import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { FormField } from "~/features/marketing/components/form-field";
import { PageHero } from "~/features/marketing/components/page-hero";
import { PublicForm } from "~/features/marketing/components/public-form";

export const meta = () =>
  publicHead({
    title: "Contact · Cairn",
    description:
      "Write to us with questions, ideas or problems. A person reads every message and replies by email.",
    path: "/contact",
  });

export default function Contact() {
  return (
    <>
      <PageHero
        seed="confluence"
        title="Write to us"
        lead="Questions, ideas, problems: we are glad about all of them. A person reads every message and replies by email."
      />
      <div className="mx-auto grid max-w-6xl gap-14 px-4 py-14 sm:px-6 sm:py-18 lg:grid-cols-[1.5fr_1fr]">
        <PublicForm
          action={paths.contact}
          submitLabel="Send message"
          emailHint="We reply to this address and use it for nothing else."
          className="max-w-xl"
        >
          <FormField name="company" label="Your business" autoComplete="organization" maxLength={200} />
          <FormField name="message" label="Message" rows={7} maxLength={5000} required />
        </PublicForm>
        <aside className="grid content-start gap-8 lg:border-s lg:border-line lg:ps-12">
          <Hint title="Asked to sign a waiver?">
            Please ask the business that sent it. We do not know your trip, and we cannot change their text.
            Reply to the email with the invitation: your reply goes to them, not to us.
          </Hint>
          <Hint title="Checking a document?">
            <Link to={paths.verify} className="underline underline-offset-4">
              Check it here
            </Link>
            . You do not need an account, and you do not have to ask anyone.
          </Hint>
          <Hint title="Want to know what we store about you?">
            The{" "}
            <Link to={paths.privacy} className="underline underline-offset-4">
              privacy page
            </Link>{" "}
            says what we keep and what you can ask for. Then write to us here, from the address it is about.
          </Hint>
          <Hint title="Found a weakness?">
            Thank you for telling us first. Please say what you saw and how we can see it too. The{" "}
            <Link to={paths.security} className="underline underline-offset-4">
              security page
            </Link>{" "}
            explains what we do.
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
