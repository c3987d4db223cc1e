import type { Heading } from "~/content/articles/read";

/** Beside the text where there is room, above it on a phone. */
export function Contents({ headings }: { headings: Heading[] }) {
  return (
    <nav aria-labelledby="contents">
      <div className="lg:sticky lg:top-24">
        <h2 id="contents" className="text-sm font-semibold">
          In this article
        </h2>
        <ul className="mt-2 border-s border-line">
          {headings.map(({ id, text }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="block rounded py-2 ps-3.5 text-[0.9375rem] text-ink-soft hover:text-ink hover:underline hover:underline-offset-4"
              >
                {text}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </nav>
  );
}
