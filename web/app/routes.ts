import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";

/** The component catalog exists only in `npm run dev`. A build contains neither the route nor its code. */
const developmentRoutes =
  process.env.NODE_ENV === "development" ? [route("dev/ui", "routes/dev/ui.tsx")] : [];

export default [
  ...developmentRoutes,
  layout("layouts/plain-layout.tsx", [
    index("routes/marketing/home.tsx"),
    route("features", "routes/marketing/features.tsx"),
    route("pricing", "routes/marketing/pricing.tsx"),
    route("customers", "routes/marketing/customers.tsx"),
    route("about", "routes/marketing/about.tsx"),
    route("contact", "routes/marketing/contact.tsx"),
    route("contact/sent", "routes/marketing/message-sent.tsx"),
    route("demo", "routes/marketing/demo.tsx"),
    route("demo/sent", "routes/marketing/message-sent.tsx", { id: "demo-sent" }),
    route("privacy", "routes/marketing/privacy.tsx"),
    route("terms", "routes/marketing/terms.tsx"),
    route("security", "routes/marketing/security.tsx"),
    route("blog", "routes/marketing/blog.tsx"),
    route("blog/:slug", "routes/marketing/blog-article.tsx"),
  ]),
  route("blog/rss.xml", "routes/marketing/blog-feed.ts"),
  route("blog/pictures/:picture", "routes/marketing/blog-picture.ts"),
  route("art/:drawing", "routes/marketing/art.ts"),
  layout("layouts/public-layout.tsx", [
    route("verify", "routes/marketing/verify.tsx"),
    route("checkout", "routes/marketing/checkout.tsx"),
  ]),
  layout("layouts/auth-layout.tsx", [
    route("signin", "routes/auth/sign-in.tsx"),
    route("signup", "routes/auth/sign-up.tsx"),
  ]),
  layout("layouts/auth-frame.tsx", [route("forgot-password", "routes/auth/forgot-password.tsx")]),
  layout("layouts/company-layout.tsx", [
    route("dashboard", "routes/company/dashboard.tsx"),
    route("dashboard/waivers", "routes/company/templates.tsx"),
    route("dashboard/waiver-management", "routes/company/directory.tsx"),
    route("dashboard/waiver-management/:id", "routes/company/waiver.tsx"),
    route("dashboard/settings", "routes/company/settings.tsx"),
    route("dashboard/settings/billing", "routes/company/billing.tsx"),
    route("dashboard/settings/webhooks", "routes/company/webhooks.tsx"),
    route("dashboard/settings/zapier", "routes/company/zapier.tsx"),
    route("dashboard/settings/html-embed", "routes/company/html-embed.tsx"),
    route("dashboard/settings/api-connections", "routes/company/api-connections.tsx"),
    route("dashboard/help/documentation", "routes/company/documentation.tsx"),
    route("dashboard/help/support", "routes/company/support.tsx"),
    route("dashboard/help/tutorials", "routes/company/tutorials.tsx"),
    route("dashboard/profile", "routes/company/profile.tsx"),
    route("dashboard/user-profile", "routes/company/profile.tsx", { id: "user-profile" }),
  ]),
  route("starting-templates.json", "routes/company/starting-templates.ts"),
  layout("layouts/guest-layout.tsx", [
    route("guest-dashboard", "routes/guest/my-waivers.tsx"),
    route("guest-dashboard/profile", "routes/guest/profile.tsx"),
  ]),
  route("sent-waivers", "routes/sent-waivers.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
