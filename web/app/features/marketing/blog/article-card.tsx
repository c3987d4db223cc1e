import { cx } from "class-variance-authority";
import { ArrowRight } from "lucide-react";
import { Link } from "react-router";
import { articlePicture, type ArticleSummary } from "~/content/articles/list";
import { paths } from "~/paths";
import { Byline } from "./byline";

type Props = { article: ArticleSummary & { readTime: string }; isFirst: boolean };

/** The first card spans all columns. On wide screens its picture is beside the text. */
export function ArticleCard({ article, isFirst }: Props) {
  const { slug, category, title, excerpt, date, readTime } = article;
  return (
    <article
      className={cx(
        "relative flex flex-col overflow-hidden rounded-2xl border border-line bg-surface",
        isFirst && "blog-wide lg:grid-cols-2",
      )}
    >
      <img
        src={articlePicture(slug)}
        alt=""
        width={1200}
        height={480}
        loading={isFirst ? "eager" : "lazy"}
        className="blog-picture"
      />
      <div className="flex grow flex-col items-start p-7">
        <p className="text-sm font-semibold text-forest-text">{category}</p>
        <h2
          className={cx(
            "mt-2 font-display leading-tight font-bold tracking-tight",
            isFirst ? "text-3xl" : "blog-title",
          )}
        >
          {title}
        </h2>
        <p className="mt-3 text-pretty text-muted">{excerpt}</p>
        <div className="blog-foot">
          <Byline date={date} readTime={readTime} />
          <Link
            to={paths.article(slug)}
            aria-label={`Read Article: ${title}`}
            className="blog-link mt-3 inline-flex items-center gap-2 rounded py-2 font-medium text-forest-text underline-offset-4 hover:underline"
          >
            Read Article
            <ArrowRight className="size-4" aria-hidden />
          </Link>
        </div>
      </div>
    </article>
  );
}
