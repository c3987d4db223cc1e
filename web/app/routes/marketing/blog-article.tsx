import { headingsOf, listArticles, readArticle, type Article } from "~/content/articles/articles";
import { feedLink, publicHead, SITE_URL } from "~/lib/head";
import { paths } from "~/paths";
import type { Route } from "./+types/blog-article";
import { ArticleMissing } from "~/features/marketing/blog/article-missing";
import { ArticlePage } from "~/features/marketing/blog/article-page";
import { StructuredData } from "~/features/marketing/components/structured-data";

export function loader({ params: { slug } }: Route.LoaderArgs) {
  return { article: readArticle(slug), headings: headingsOf(slug), articles: listArticles() };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const article = loaderData?.article;
  if (!article) return [{ title: "Blog Post Not Found · Cairn" }, { name: "robots", content: "noindex" }];
  const head = publicHead({
    title: `${article.title} · Cairn`,
    description: article.excerpt,
    path: paths.article(article.slug),
    kind: "article",
    picture: { path: `/pictures/blog/${article.slug}.png`, alt: article.title },
  });
  return [...head, { property: "article:published_time", content: article.date }, feedLink];
}

export default function BlogArticle({ loaderData: { article, headings, articles } }: Route.ComponentProps) {
  if (!article) return <ArticleMissing articles={articles} />;
  return (
    <>
      <ArticlePage article={article} headings={headings} />
      <StructuredData data={structuredDataOf(article)} />
    </>
  );
}

function structuredDataOf({ title, excerpt, date, author, category, slug, heroImage }: Article) {
  return {
    "@type": "BlogPosting",
    headline: title,
    description: excerpt,
    datePublished: date,
    articleSection: category,
    author: { "@type": "Organization", name: author, url: `${SITE_URL}${paths.about}` },
    image: SITE_URL + heroImage,
    mainEntityOfPage: SITE_URL + paths.article(slug),
  };
}
