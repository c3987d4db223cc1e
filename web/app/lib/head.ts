import type { MetaDescriptor } from "react-router";

/** Pages are built with a placeholder for the address of the deployment, which the server replaces when it starts. */
export const SITE_URL = import.meta.env.SSR ? "__CAIRN_SITE_URL__" : window.location.origin;

const DEFAULT_PICTURE = {
  path: "/pictures/share.png",
  alt: "Cairn: put your waiver management on autopilot",
};

type PublicPage = {
  title: string;
  description: string;
  /** The canonical link uses this path. The sitemap lists every page that has a canonical link. */
  path: string;
  kind?: "website" | "article";
  /** The picture is shown when a link to the page is shared. Its size is 1200 by 630 pixels. */
  picture?: { path: string; alt: string };
};

/** Returns the title, description, canonical link and social preview of a public page. */
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

/** Every page of the blog has this link, so that feed readers find the feed. */
export const feedLink: MetaDescriptor = {
  tagName: "link",
  rel: "alternate",
  type: "application/rss+xml",
  title: "Cairn blog",
  href: "/blog/rss.xml",
};
