import { Link } from "react-router";
import type { ArticleSummary } from "~/content/articles/list";
import { paths } from "~/paths";
import { LinkButton } from "~/ui/link-button";
import { PageHero } from "../components/page-hero";

/** This page is shown at unknown addresses of the blog. */
export function ArticleMissing({ articles }: { articles: ArticleSummary[] }) {
  return (
    <>
      <PageHero
        seed="confluence"
        title="Blog Post Not Found"
        lead="The article you're looking for doesn't exist or has been moved."
      >
        <LinkButton to={paths.blog} size="lg" className="mt-8">
          Back to Blog
        </LinkButton>
      </PageHero>
      <section className="mx-auto max-w-6xl px-4 py-14 sm:px-6">
        <h2 className="text-xl font-semibold">Articles that are here</h2>
        <ul className="mt-4">
          {articles.map(({ slug, title }) => (
            <li key={slug}>
              <Link
                to={paths.article(slug)}
                className="inline-block rounded py-2 font-medium text-forest-text underline underline-offset-4"
              >
                {title}
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}
