import { listArticles } from "~/content/articles/articles";
import { feedLink, publicHead } from "~/lib/head";
import type { Route } from "./+types/blog";
import { ArticleCard } from "~/features/marketing/blog/article-card";
import { BlogStyle } from "~/features/marketing/blog/blog-style";
import { CallToAction } from "~/features/marketing/components/call-to-action";
import { PageHero } from "~/features/marketing/components/page-hero";

export const meta = () => [
  ...publicHead({
    title: "Blog · Cairn",
    description:
      "Waivers for guides and outfitters: which ones you need, what makes a signature count, and how to keep your records.",
    path: "/blog",
  }),
  feedLink,
];

export const loader = () => listArticles();

export default function Blog({ loaderData: articles }: Route.ComponentProps) {
  return (
    <>
      <BlogStyle />
      <PageHero
        seed="larch"
        title="Notes for guides and outfitters"
        lead="Waivers in plain language: which ones you need, what makes a signature count, and how to keep your records."
      />
      <div className="mx-auto grid max-w-6xl gap-6 px-4 py-14 sm:px-6 md:grid-cols-2 lg:grid-cols-3">
        {articles.map((article, index) => (
          <ArticleCard key={article.slug} article={article} isFirst={index === 0} />
        ))}
      </div>
      <CallToAction className="pb-20" />
    </>
  );
}
