import type { MetaDescriptor } from "react-router";

/** The address of this deployment. Pages are built with a placeholder that the server replaces when it starts. */
export const SITE_URL = import.meta.env.SSR ? "__CAIRN_SITE_URL__" : window.location.origin;

const DEFAULT_PICTURE = {
  path: "/pictures/share.png",
  alt: "Cairn: put your waiver management on autopilot",
};

type PublicPage = {
  title: string;
  description: string;
  /** The path in the address bar, used for the canonical link. The sitemap lists every page that has one. */
  path: string;
  kind?: "website" | "article";
  /** The preview of a shared link, 1200 by 630 pixels. */
  picture?: { path: string; alt: string };
};

/** The title, description, canonical link and social preview of a public page. */
export function publicHead({
  title,
  description,
  path,
  kind = "website",
  picture = DEFAULT_PICTURE,
}: PublicPage): MetaDescriptor[] {
  const url = SITE_URL + path;
  return [
    { title },
    { name: "description", content: description },
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:site_name", content: "Cairn" },
    { property: "og:type", content: kind },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: SITE_URL + picture.path },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { property: "og:image:alt", content: picture.alt },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** For the pages of the blog, so that feed readers find the feed from any of them. */
export const feedLink: MetaDescriptor = {
  tagName: "link",
  rel: "alternate",
  type: "application/rss+xml",
  title: "Cairn blog",
  href: "/blog/rss.xml",
};
