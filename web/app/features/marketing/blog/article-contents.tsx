import type { Heading } from "~/content/articles/articles";

/** The table of contents is beside the text on wide screens and above it on phones. */
export function ArticleContents({ headings }: { headings: Heading[] }) {
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
