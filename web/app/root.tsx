import interLatin from "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url";
import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration } from "react-router";
import type { Route } from "./+types/root";
import "./app.css";
import { THEME_SCRIPT } from "./lib/theme";
import { Button } from "./ui/button";
import { LoadingScreen } from "./ui/loading-screen";
import { Mark } from "./ui/logo";
import { OfflineNotice } from "./ui/offline-notice";
import { Toasts } from "./ui/toasts";

export const links: Route.LinksFunction = () => [
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "preload", href: interLatin, as: "font", type: "font/woff2", crossOrigin: "anonymous" },
];

export const meta: Route.MetaFunction = () => [{ title: "Cairn" }];

export function Layout({ children }: { children: ReactNode }) {
  return (
    // The script below may set the theme before React arrives.
    <html lang="en" dir="ltr" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="cairn-anon-key" content={anonKey()} />
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** A page is built with a placeholder; the server writes the key into it, and from then on the page itself knows. */
function anonKey(): string {
  if (import.meta.env.DEV) return import.meta.env.CAIRN_ANON_KEY ?? "";
  if (typeof document === "undefined") return "__CAIRN_ANON_KEY__";
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}

export default function App() {
  return (
    <>
      <OfflineNotice />
      <Outlet />
      <Toasts />
    </>
  );
}

export function HydrateFallback() {
  return <LoadingScreen />;
}

export function ErrorBoundary() {
  return (
    <main className="grid min-h-dvh place-items-center px-5 text-center">
      <div>
        <Mark className="mx-auto size-12 text-forest" />
        <h1 className="mt-5 text-2xl font-semibold">Something went wrong</h1>
        <p className="mt-2 max-w-sm text-ink-soft">
          This page stopped working. What you saved is safe; what you were typing may be lost.
        </p>
        <Button className="mt-6" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </div>
    </main>
  );
}
