/** This object lists every page that the app links to. */
export const paths = {
  home: "/",
  signedOut: "/#signed-out",
  features: "/features",
  pricing: "/pricing",
  customers: "/customers",
  about: "/about",
  contact: "/contact",
  demo: "/demo",
  privacy: "/privacy",
  terms: "/terms",
  security: "/security",
  blog: "/blog",
  blogFeed: "/blog/rss.xml",
  article: (slug: string) => `/blog/${slug}`,
  checkout: (cents: number, description: string) =>
    `/checkout?amount=${cents}&description=${encodeURIComponent(description)}`,
  signIn: "/signin",
  signUp: "/signup",
  forgotPassword: "/forgot-password",
  verify: "/verify",
  dashboard: "/dashboard",
  /** The dashboard with the dialog that sends reminders. */
  reminders: "/dashboard?remind",
  templates: "/dashboard/waivers",
  /** A guest signs this template or session on the company's device. */
  signInPerson: (id: string) => `/dashboard/waivers?sign=${encodeURIComponent(id)}`,
  directory: "/dashboard/waiver-management",
  directoryStatus: (status: string) =>
    status === "all" ? "/dashboard/waiver-management" : `/dashboard/waiver-management?status=${status}`,
  /** This older URL of a waiver redirects to its page. */
  directoryWaiver: (sessionId: string) =>
    `/dashboard/waiver-management?waiver=${encodeURIComponent(sessionId)}`,
  waiver: (sessionId: string) => `/dashboard/waiver-management/${encodeURIComponent(sessionId)}`,
  directorySearch: (term: string) => `/dashboard/waiver-management?q=${encodeURIComponent(term)}`,
  profile: "/dashboard/profile",
  companySettings: "/dashboard/profile#company",
  /** The company settings, scrolled to one of their parts. */
  companySetting: (part: "time-zone" | "sender" | "link-days" | "reminders") => `/dashboard/profile#${part}`,
  settings: "/dashboard/settings",
  billing: "/dashboard/settings/billing",
  webhooks: "/dashboard/settings/webhooks",
  zapier: "/dashboard/settings/zapier",
  embedding: "/dashboard/settings/html-embed",
  apiConnections: "/dashboard/settings/api-connections",
  documentation: "/dashboard/help/documentation",
  support: "/dashboard/help/support",
  tutorials: "/dashboard/help/tutorials",
  guestHome: "/guest-dashboard",
  guestProfile: "/guest-dashboard/profile",
  sentWaivers: "/sent-waivers",
  /** No route has this path. The not-found page handles it: it confirms that the waiver was sent and counts down. */
  afterSending: "/dashboard/sent-waivers",
  /** The signing page is not part of this app. The server sends it as a separate page. */
  signing: (sessionId: string) => `/waivers/sign/session/${encodeURIComponent(sessionId)}`,
  /** A website shows this signing page of a template in an iframe. The page stays open after a signature. */
  embedded: (templateId: string, companyId?: string) =>
    `/embed/${encodeURIComponent(templateId)}${companyId ? `?company=${encodeURIComponent(companyId)}` : ""}`,
  /** A sample template belongs to no company, so its link names the company that shares it. */
  signingTemplate: (templateId: string, companyId?: string) =>
    `/waivers/sign/${encodeURIComponent(templateId)}${companyId ? `?company=${encodeURIComponent(companyId)}` : ""}`,
} as const;
