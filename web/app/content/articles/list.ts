/** The blog lists every article with these fields. */
export type ArticleSummary = {
  id: number;
  slug: string;
  category: string;
  title: string;
  excerpt: string;
  /** The date is formatted as YYYY-MM-DD. */
  date: string;
  author: string;
};

const AUTHOR = "The Cairn team";

/** The blog shows the articles in this order. The text of each is in the file `{slug}.md`. */
export const ARTICLES: ArticleSummary[] = [
  {
    id: 1,
    slug: "essential-business-waivers",
    category: "Basics",
    title: "The waivers an outdoor business really needs",
    excerpt:
      "A release, an acknowledgment of risk, something for parents to sign: which document has which job, and where its power ends.",
    date: "2026-11-15",
    author: AUTHOR,
  },
  {
    id: 2,
    slug: "digital-waivers-guide",
    category: "Guide",
    title: "A guide to digital waivers",
    excerpt:
      "What ESIGN, UETA and eIDAS ask of an electronic signature, and the five things your record should be able to show.",
    date: "2026-11-15",
    author: AUTHOR,
  },
  {
    id: 3,
    slug: "best-practices",
    category: "Best practices",
    title: "A waiver people read, a record you can find",
    excerpt:
      "Habits for the text, the morning and the archive: how to be understood, let no one slip through, and keep things long enough.",
    date: "2026-11-15",
    author: AUTHOR,
  },
  {
    id: 4,
    slug: "case-studies",
    category: "Case studies",
    title: "Four mornings, worked through",
    excerpt:
      "A rafting outfitter, a climbing hall, a summer camp, a bike rental: examples of what to decide, in which order, and what to leave to people.",
    date: "2026-11-15",
    author: AUTHOR,
  },
  {
    id: 5,
    slug: "legal-aspects",
    category: "Law",
    title: "When a waiver is tested in court",
    excerpt:
      "What judges look at first, what no wording can do, and what you should be able to show years after the trip.",
    date: "2026-11-16",
    author: AUTHOR,
  },
  {
    id: 6,
    slug: "integration-guide",
    category: "Integration",
    title: "Connecting your booking system",
    excerpt:
      "A waiver for every booking without typing a name twice: what works without code, and four steps for programmers.",
    date: "2026-11-16",
    author: AUTHOR,
  },
  {
    id: 7,
    slug: "customer-experience",
    category: "Guests",
    title: "The first two minutes of a tour",
    excerpt:
      "What a guest feels between the link in the mail and the name under the text, and how to make it a good start.",
    date: "2026-11-16",
    author: AUTHOR,
  },
];

/** No article has this slug. The page built for it is shown for every unknown slug. */
export const ARTICLE_NOT_FOUND_SLUG = "404";

/** The picture is drawn at build time, with the slug as the seed. */
export const articlePicture = (slug: string): string => `/blog/pictures/${slug}.svg`;
