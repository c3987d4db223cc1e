import { STATS } from "~/content/stats";

export function StatsBand() {
  return (
    <section aria-labelledby="figures" className="border-y border-line bg-sunken/50">
      <h2 id="figures" className="sr-only">
        Figures
      </h2>
      <div className="mx-auto max-w-6xl px-4 py-10 sm:px-6 sm:py-12">
        <dl className="grid grid-cols-2 gap-x-6 gap-y-8 lg:grid-cols-4">
          {STATS.map(({ value, prefix, suffix, label }) => (
            <div key={label} className="flex flex-col-reverse">
              <dt className="mt-1 text-muted">{label}</dt>
              <dd className="font-display text-4xl font-bold tracking-tight sm:text-5xl">
                {`${prefix}${value}${suffix}`}
              </dd>
            </div>
          ))}
        </dl>
        <p className="mt-7 text-sm text-muted">Sample figures, made up for illustration.</p>
      </div>
    </section>
  );
}
