/** Every address the app links to, in one place. */
export const paths = {
  home: "/",
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
  article: (slug: string) => `/blog/${slug}`,
  checkout: (cents: number, description: string) =>
    `/checkout?amount=${cents}&description=${encodeURIComponent(description)}`,
  signIn: "/signin",
  signUp: "/signup",
  forgotPassword: "/forgot-password",
  verify: "/verify",
  dashboard: "/dashboard",
  templates: "/dashboard/waivers",
  directory: "/dashboard/waiver-management",
  directoryOf: (sessionId: string) => `/dashboard/waiver-management?waiver=${encodeURIComponent(sessionId)}`,
  profile: "/dashboard/profile",
  guestHome: "/guest-dashboard",
  guestProfile: "/guest-dashboard/profile",
  sentWaivers: "/sent-waivers",
  /** No route has this address: the not-found page there confirms the send and counts down. */
  afterSending: "/dashboard/sent-waivers",
  /** A document of its own, outside this app. */
  signing: (sessionId: string) => `/waivers/sign/session/${encodeURIComponent(sessionId)}`,
  signingTemplate: (templateId: string) => `/waivers/sign/${encodeURIComponent(templateId)}`,
} as const;
