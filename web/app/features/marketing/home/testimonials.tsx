import { TESTIMONIALS } from "~/content/testimonials";
import { Section } from "../components/section";

export function Testimonials() {
  return (
    <Section
      title="What a quiet morning sounds like"
      lead="Sample copy: we made up these people and their companies. They are not customers."
    >
      <div className="grid gap-6 lg:grid-cols-3">
        {TESTIMONIALS.map(({ quote, author, role, company }) => (
          <figure key={author} className="flex flex-col rounded-2xl border border-line bg-surface p-7">
            <blockquote className="grow text-lg leading-relaxed text-pretty">“{quote}”</blockquote>
            <figcaption className="mt-6 border-t border-line pt-4">
              <span className="block font-semibold">{author}</span>
              <span className="text-muted">
                {role}, {company}
              </span>
            </figcaption>
          </figure>
        ))}
      </div>
    </Section>
  );
}
