import { Link } from "react-router";
import type { Card } from "~/content/articles/list";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Terrain } from "~/ui/terrain";

/** For an address without an article, and for one whose article is not written yet. */
export function ArticleMissing({ others }: { others: Card[] }) {
  return (
    <section className="relative isolate grid min-h-[60dvh] place-items-center overflow-hidden px-4 py-20 text-center">
      <Terrain
        seed="confluence"
        fade="radial-gradient(circle, transparent 20%, #000 80%)"
        className="text-forest opacity-20"
      />
      <div className="max-w-md">
        <h1 className="font-display text-4xl font-bold tracking-tight">Blog Post Not Found</h1>
        <p className="mt-3 text-lg text-ink-soft">
          The article you&#39;re looking for doesn&#39;t exist or has been moved.
        </p>
        <Button asChild size="lg" className="mt-8">
          <Link to={paths.blog}>Back to Blog</Link>
        </Button>
        <h2 className="mt-14 text-sm font-semibold">Articles that are here</h2>
        <ul className="mt-2">
          {others.map(({ slug, title }) => (
            <li key={slug}>
              <Link
                to={paths.article(slug)}
                className="inline-block rounded py-2 font-medium text-forest-ink underline underline-offset-4"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
