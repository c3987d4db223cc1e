import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useNavigate } from "react-router";
import type { Route } from "./+types/root";
import appStyle from "./app.css?url";
import displayFont from "./fonts/bricolage-public.woff2?url";
import textFont from "./fonts/inter-public.woff2?url";
import { anonKey } from "./lib/anon-key";
import { pendingRedirect, captureRedirect } from "./lib/auth-redirect";
import { useIsPrerendered, useIsPlain } from "./lib/plain";
import { THEME_SCRIPT } from "./lib/theme";
import { Button } from "./ui/button";
import { LoadingScreen } from "./ui/loading-screen";
import { Mark } from "./ui/logo";
import { OfflineNotice } from "./ui/offline-notice";
import { Toasts } from "./ui/toasts";

if (typeof window !== "undefined") captureRedirect();
const hasRedirect = pendingRedirect() !== null;

// The styles are written into the pages during the build, so that the app's script does not contain them.
const publicStyle = import.meta.env.SSR ? (await import("./site.css?inline")).default : "";
const inlineAppStyle = import.meta.env.SSR ? (await import("./app.css?inline")).default : "";

const AccountChoiceDialog = lazy(() => import("./features/account/components/account-choice-dialog"));

const FONTS = [displayFont, textFont];

export const meta: Route.MetaFunction = () => [{ title: "Cairn" }];

/** A plain page (see lib/plain.ts) contains its style and loads nothing of the app. */
export function Layout({ children }: { children: ReactNode }) {
  const isPlain = useIsPlain();
  return (
    // THEME_SCRIPT may set the theme before React hydrates the page.
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
      <meta name="cairn-anon-key" content={anonKeyOrPlaceholder()} />
      <link rel="manifest" href="/app.webmanifest" />
      <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
      <AppStyle />
      <Links />
    </>
  );
}

/**
 * Prerendered pages contain the style, so that they can be painted before any script loads. Other pages link to a file.
 */
function AppStyle() {
  const isPrerendered = useIsPrerendered();
  const inlineStyle = import.meta.env.SSR
    ? isPrerendered && inlineAppStyle
    : document.getElementById("app-style")?.textContent;
  if (!inlineStyle) return <link rel="stylesheet" href={appStyle} />;
  return <style id="app-style" dangerouslySetInnerHTML={{ __html: inlineStyle }} />;
}

function AppScripts() {
  return (
    <>
      <ScrollRestoration />
      <Scripts />
    </>
  );
}

/**
 * The build writes a placeholder, which the server replaces with the key. In the browser, the key is read from the
 * page.
 */
function anonKeyOrPlaceholder(): string {
  if (import.meta.env.DEV) return import.meta.env.CAIRN_ANON_KEY ?? "";
  return typeof document === "undefined" ? "__CAIRN_ANON_KEY__" : anonKey();
}

export default function App() {
  const isOpeningLink = useAuthRedirect();
  // A prerendered page repeats the user's last click after this event (see scripts/defer-scripts.ts).
  useEffect(() => void window.dispatchEvent(new Event("cairn:ready")), []);
  return (
    <>
      <OfflineNotice />
      <Outlet />
      <Toasts />
      {isOpeningLink && (
        <Suspense>
          <AccountChoiceDialog />
        </Suspense>
      )}
    </>
  );
}

/**
 * Shows the result of an emailed link or an OAuth sign-in that redirected here. The code is loaded on demand, because
 * most pages are opened without a redirect. Returns true if the user may have to choose between two accounts.
 */
function useAuthRedirect(): boolean {
  const navigate = useNavigate();
  const [isOpeningLink, setOpeningLink] = useState(false);
  useEffect(() => {
    if (!hasRedirect) return;
    setOpeningLink(true);
    void import("./features/account/announce-redirect-result")
      .then(({ announceRedirectResult }) => announceRedirectResult(window.location.pathname))
      .then((path) => path && navigate(path, { replace: true }));
    // The effect has no dependencies, because it handles only the redirect that this page was opened with.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return isOpeningLink;
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
