import { MailCheck } from "lucide-react";
import { paths } from "~/paths";
import { Terrain } from "~/ui/terrain";
import { LinkButton } from "~/ui/link-button";

export const meta = () => [{ title: "We have your message · Cairn" }, { name: "robots", content: "noindex" }];

/** The contact form and the demo form redirect here, so that a reload does not send the message twice. */
export default function MessageSent() {
  return (
    <section className="relative isolate grid min-h-[60dvh] place-items-center overflow-hidden px-4 py-20 text-center">
      <Terrain
        seed="confluence"
        fade="radial-gradient(circle, transparent 20%, #000 80%)"
        className="text-forest opacity-20"
      />
      <div className="max-w-md">
        <MailCheck className="mx-auto size-12 text-forest" strokeWidth={1.5} aria-hidden />
        <h1 className="mt-5 font-display text-4xl font-bold tracking-tight">We have your message</h1>
        <p className="mt-3 text-lg text-muted">It is stored and on its way to us. We reply by email.</p>
        <LinkButton to={paths.home} size="lg" variant="secondary" className="mt-8">
          Return to Home
        </LinkButton>
      </div>
    </section>
  );
}
