import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";
import type { Article, Heading } from "~/content/articles/articles";
import { paths } from "~/paths";
import { LinkButton } from "~/ui/link-button";
import { CallToAction } from "../components/call-to-action";
import { PROSE } from "../components/prose";
import { ArticleContents } from "./article-contents";
import { BlogStyle } from "./blog-style";
import { Byline } from "./byline";

export function ArticlePage({ article, headings }: { article: Article; headings: Heading[] }) {
  return (
    <>
      <BlogStyle />
      <article className="mx-auto max-w-6xl px-4 pt-14 pb-20 sm:px-6">
        <ArticleHead article={article} />
        <div className="mt-10 grid gap-10 lg:grid-cols-[1.3fr_2fr]">
          <ArticleContents headings={headings} />
          <div className="min-w-0">
            <div
              className={`blog-text max-w-xl text-lg leading-relaxed ${PROSE}`}
              dangerouslySetInnerHTML={{ __html: article.content }}
            />
            <p className="mt-12 max-w-xl border-s-2 border-forest ps-3.5 text-sm text-muted">
              This article is general information and not legal advice. Laws differ from place to place and
              change; have your legal adviser review your own text.
            </p>
            <div className="mt-10 flex flex-wrap gap-3">
              <LinkButton to={paths.signUp} size="lg">
                Get Started
              </LinkButton>
              <LinkButton to={paths.blog} size="lg" variant="secondary">
                Read More Articles
              </LinkButton>
            </div>
          </div>
        </div>
      </article>
      <div className="pb-20">
        <CallToAction
          title="Put it to work on your next tour"
          secondLink={{ text: "See Pricing", link: paths.pricing }}
        />
      </div>
    </>
  );
}

function ArticleHead({ article }: { article: Article }) {
  return (
    <header>
      <Link
        to={paths.blog}
        className="inline-flex items-center gap-2 rounded py-2 font-medium text-muted hover:text-foreground"
      >
        <ArrowLeft className="size-4" aria-hidden />
        Back to Blog
      </Link>
      <p className="mt-8 text-sm font-semibold text-forest-text">{article.category}</p>
      <h1 className="mt-2 max-w-3xl font-display text-[2.5rem] leading-[1.06] font-bold tracking-tight sm:text-[3.25rem]">
        {article.title}
      </h1>
      <p className="mt-5 max-w-2xl text-lg text-pretty text-muted sm:text-xl">{article.excerpt}</p>
      <div className="mt-6">
        <Byline author={article.author} date={article.date} readTime={article.readTime} />
      </div>
      <img
        src={article.heroImage}
        alt=""
        width={1200}
        height={480}
        className="blog-picture blog-hero mt-8 rounded-2xl"
      />
    </header>
  );
}
