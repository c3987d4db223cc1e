/** Every address the app links to, in one place. */
export const paths = {
  home: "/",
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
  /** A sample belongs to nobody, so its link names the company it is handed out by. */
  signingTemplate: (templateId: string, companyId?: string) =>
    `/waivers/sign/${encodeURIComponent(templateId)}${companyId ? `?company=${encodeURIComponent(companyId)}` : ""}`,
} as const;
