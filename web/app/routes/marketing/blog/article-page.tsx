import { ArrowLeft } from "lucide-react";
import { Link } from "react-router";
import type { Article, Heading } from "~/content/articles/read";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Invitation } from "../parts/invitation";
import { PROSE } from "../parts/prose";
import { Byline } from "./byline";
import { Contents } from "./contents";

export function ArticlePage({ article, headings }: { article: Article; headings: Heading[] }) {
  return (
    <>
      <article className="mx-auto max-w-6xl px-4 pt-8 pb-20 sm:px-6">
        <ArticleHead article={article} />
        <div className="mt-10 grid gap-10 lg:grid-cols-[1.3fr_2fr]">
          <Contents headings={headings} />
          <div className="min-w-0">
            <div
              className={`max-w-xl text-lg leading-relaxed [&_h3]:mt-8 [&_h3]:font-semibold [&_ol]:mt-4 [&_ol]:list-decimal [&_ol]:ps-6 [&_p:first-child]:mt-0 ${PROSE}`}
              dangerouslySetInnerHTML={{ __html: article.content }}
            />
            <p className="mt-12 max-w-xl border-s-2 border-forest ps-3.5 text-sm text-ink-soft">
              This article is general information and not legal advice. Laws differ from place to place and
              change; have your legal adviser review your own text.
            </p>
            <div className="mt-10 flex flex-wrap gap-3">
              <Button asChild size="lg">
                <Link to={paths.signUp}>Get Started</Link>
              </Button>
              <Button asChild size="lg" variant="secondary">
                <Link to={paths.blog}>Read More Articles</Link>
              </Button>
            </div>
          </div>
        </div>
      </article>
      <div className="pb-20">
        <Invitation
          title="Put it to work on your next trip"
          other={{ text: "See Pricing", link: paths.pricing }}
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
        className="inline-flex items-center gap-2 rounded py-2 font-medium text-ink-soft hover:text-ink"
      >
        <ArrowLeft className="size-4" aria-hidden />
        Back to Blog
      </Link>
      <p className="mt-8 text-sm font-semibold text-forest-ink">{article.category}</p>
      <h1 className="mt-2 max-w-3xl font-display text-[2.5rem] leading-[1.06] font-bold tracking-tight sm:text-[3.25rem]">
        {article.title}
      </h1>
      <p className="mt-5 mb-6 max-w-2xl text-lg text-pretty text-ink-soft sm:text-xl">{article.excerpt}</p>
      <Byline author={article.author} date={article.date} readTime={article.readTime} />
      <img
        src={article.heroImage}
        alt=""
        width={1200}
        height={480}
        className="mt-8 h-44 w-full rounded-2xl object-cover sm:h-auto"
      />
    </header>
  );
}
