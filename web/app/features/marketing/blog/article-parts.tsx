import type { Heading } from "~/content/articles/read";

/** Beside the text where there is room, above it on a phone. */
export function ArticleParts({ headings }: { headings: Heading[] }) {
  return (
    <nav aria-labelledby="parts">
      <div className="blog-beside">
        <h2 id="parts" className="text-sm font-semibold">
          In this article
        </h2>
        <ul className="blog-parts mt-2">
          {headings.map(({ id, text }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="block rounded py-2 ps-3.5 text-[0.9375rem] text-muted hover:text-foreground hover:underline hover:underline-offset-4"
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
