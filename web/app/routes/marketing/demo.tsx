import { publicHead } from "~/lib/head";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { FormField } from "~/features/marketing/components/form-field";
import { PageHero } from "~/features/marketing/components/page-hero";
import { PublicForm } from "~/features/marketing/components/public-form";

export const meta = () =>
  publicHead({
    title: "Demo · Cairn",
    description: "Sign a sample waiver as your guests would, or ask us to show you around.",
    path: "/demo",
  });

const SAMPLE = paths.signingTemplate("template-general-liability");

export default function Demo() {
  return (
    <>
      <PageHero
        seed="meander"
        title="See it from your guest’s side"
        lead="Sign a sample waiver right now. Then, if you like, let us show you the company’s side."
      />
      <div className="mx-auto grid max-w-6xl gap-14 px-4 py-14 sm:px-6 sm:py-18 lg:grid-cols-2 lg:gap-20">
        <section aria-labelledby="sample">
          <h2 id="sample" className="font-display text-3xl font-bold tracking-tight">
            Sign a sample
          </h2>
          <p className="mt-3 text-lg text-muted">
            This is the page your guests get: the same text box, the same signature field, and the same sealed
            PDF at the end.
          </p>
          <div className="mt-7 flex flex-wrap items-center gap-7 rounded-2xl border border-line bg-surface p-6">
            <img
              src="/demo/qr.svg"
              width={148}
              height={148}
              alt="QR code that opens the sample waiver on a phone"
              className="size-37 rounded-control border border-line max-sm:hidden"
            />
            <div className="min-w-48 grow basis-0">
              <p className="mb-4 text-muted max-sm:hidden">
                Point your phone&rsquo;s camera at the code, or stay here:
              </p>
              <Button asChild size="lg">
                <a href={SAMPLE}>Sign a sample waiver</a>
              </Button>
            </div>
          </div>
          <p className="mt-4 text-sm text-muted">
            No company receives this waiver, unless you are signed in as one. What you type is kept, like
            every signature, and cannot be deleted. So use any name you like, and your own address only if you
            want us to email you the copy.
          </p>
        </section>
        <section aria-labelledby="call">
          <h2 id="call" className="font-display text-3xl font-bold tracking-tight">
            Ask for a call
          </h2>
          <p className="mt-3 text-lg text-muted">
            Twenty minutes for your own questions. Tell us what you do and when it suits you.
          </p>
          <PublicForm action={paths.demo} submitLabel="Request a demo" className="mt-7">
            <FormField
              name="company"
              label="Your business"
              autoComplete="organization"
              maxLength={200}
              required
            />
            <FormField name="phone" label="Phone" type="tel" autoComplete="tel" maxLength={40} />
            <FormField
              name="message"
              label="What you would like to see"
              hint="Days and times that suit you, with your time zone."
              rows={4}
              maxLength={5000}
            />
          </PublicForm>
        </section>
      </div>
    </>
  );
}
