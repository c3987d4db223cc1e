import type { MetaDescriptor } from "react-router";

/** Where this service is reached. Pages are built with a placeholder that the server fills at its start. */
export const SITE_URL = import.meta.env.SSR ? "__CAIRN_SITE_URL__" : window.location.origin;

const PICTURE = { path: "/pictures/share.png", alt: "Cairn: put your waiver management on autopilot" };

type Facts = {
  title: string;
  description: string;
  /** As in the address bar. A page with one is for search engines too, and the server lists it in the sitemap. */
  path: string;
  kind?: "website" | "article";
  /** What a shared link shows, 1200 by 630. */
  picture?: { path: string; alt: string };
};

/** Everything a public page says about itself in its head. */
export function publicHead({
  title,
  description,
  path,
  kind = "website",
  picture = PICTURE,
}: Facts): MetaDescriptor[] {
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

/** On pages of the blog, so that a feed reader given their address finds the feed. */
export const feedLink: MetaDescriptor = {
  tagName: "link",
  rel: "alternate",
  type: "application/rss+xml",
  title: "Cairn blog",
  href: "/blog/rss.xml",
};
