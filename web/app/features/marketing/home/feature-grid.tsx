import { Link } from "react-router";
import { FEATURES } from "~/content/features";
import { paths } from "~/paths";
import { Section } from "../components/section";

export function FeatureGrid() {
  return (
    <Section
      title="Less paper at the dock, more time on the water"
      lead="Everything between “please sign this” and a record that still holds years later."
    >
      <ul className="grid gap-px overflow-hidden rounded-2xl border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
        {FEATURES.map(({ icon: Icon, title, text }) => (
          <li key={title} className="bg-surface p-7">
            <span className="grid size-11 place-items-center rounded-control bg-forest-soft text-forest-text">
              <Icon className="size-5" aria-hidden />
            </span>
            <h3 className="mt-5 text-lg leading-snug font-semibold text-wrap">{title}</h3>
            <p className="mt-2 text-pretty text-muted">{text}</p>
          </li>
        ))}
      </ul>
      <p className="mt-6">
        <Link
          to={paths.features}
          className="inline-block rounded py-2 font-medium text-forest-text underline underline-offset-4"
        >
          See how each of them works
        </Link>
      </p>
    </Section>
  );
}
