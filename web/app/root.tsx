import { useEffect, type ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useNavigate } from "react-router";
import type { Route } from "./+types/root";
import appStyle from "./app.css?url";
import displayFont from "./fonts/bricolage-public.woff2?url";
import textFont from "./fonts/inter-public.woff2?url";
import { pendingRedirect, captureRedirect } from "./lib/auth-redirect";
import { useIsPrerendered, useIsPlain } from "./lib/plain";
import { THEME_SCRIPT } from "./lib/theme";
import { Button } from "./ui/button";
import { LoadingScreen } from "./ui/loading-screen";
import { Mark } from "./ui/logo";
import { OfflineNotice } from "./ui/offline-notice";
import { Toasts } from "./ui/toasts";

if (typeof window !== "undefined") captureRedirect();
const hasNews = pendingRedirect() !== null;

// Only the build writes them into pages; the app's script carries nothing of them.
const publicStyle = import.meta.env.SSR ? (await import("./site.css?inline")).default : "";
const wholeAppStyle = import.meta.env.SSR ? (await import("./app.css?inline")).default : "";

const FONTS = [displayFont, textFont];

export const meta: Route.MetaFunction = () => [{ title: "Cairn" }];

export function Layout({ children }: { children: ReactNode }) {
  const isPlain = useIsPlain();
  return (
    // The script below may set the theme before React arrives.
    <html lang="en" dir="ltr" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/pictures/touch-icon.png" />
        <Meta />
        {FONTS.map((font) => (
          <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
        ))}
        {isPlain ? <style dangerouslySetInnerHTML={{ __html: publicStyle }} /> : <AppHead />}
      </head>
      <body>
        {children}
        {!isPlain && <AppScripts />}
      </body>
    </html>
  );
}

function AppHead() {
  return (
    <>
      <meta name="cairn-anon-key" content={anonKey()} />
      <link rel="manifest" href="/app.webmanifest" />
      <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      <AppStyle />
      <Links />
    </>
  );
}

/** Written into pages that are built ahead, so that they are drawn before any script has come; elsewhere a file. */
function AppStyle() {
  const isBuiltAhead = useIsPrerendered();
  const written = import.meta.env.SSR
    ? isBuiltAhead && wholeAppStyle
    : document.getElementById("app-style")?.textContent;
  if (!written) return <link rel="stylesheet" href={appStyle} />;
  return <style id="app-style" dangerouslySetInnerHTML={{ __html: written }} />;
}

function AppScripts() {
  return (
    <>
      <ScrollRestoration />
      <Scripts />
    </>
  );
}

/** A page is built with a placeholder; the server writes the key into it, and from then on the page itself knows. */
function anonKey(): string {
  if (import.meta.env.DEV) return import.meta.env.CAIRN_ANON_KEY ?? "";
  if (typeof document === "undefined") return "__CAIRN_ANON_KEY__";
  return document.querySelector<HTMLMetaElement>('meta[name="cairn-anon-key"]')?.content ?? "";
}

export default function App() {
  useArrival();
  // A page that is built ahead has held back what was pressed before there was anybody to answer.
  useEffect(() => void window.dispatchEvent(new Event("cairn:ready")), []);
  return (
    <>
      <OfflineNotice />
      <Outlet />
      <Toasts />
    </>
  );
}

/** Most pages are opened without anything in their address, and fetch nothing for it. */
function useArrival(): void {
  const navigate = useNavigate();
  useEffect(() => {
    if (!hasNews) return;
    void import("./features/account/announce-arrival")
      .then(({ announceArrival }) => announceArrival(window.location.pathname))
      .then((place) => place && navigate(place, { replace: true }));
    // Once: what the address brought has been taken out of it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
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
        <p className="mt-2 max-w-sm text-muted">
          This page stopped working. What you saved is safe; what you were typing may be lost.
        </p>
        <Button className="mt-6" onClick={() => window.location.reload()}>
          Reload the page
        </Button>
      </div>
    </main>
  );
}
