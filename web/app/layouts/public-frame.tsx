import type { ReactNode } from "react";
import { PublicFooter } from "./public-footer";
import { PublicHeader } from "./public-header";

/** Adds the header and the footer to a public page. */
export default function PublicFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-40 rounded-control bg-forest px-4 py-2 text-on-forest focus:not-sr-only focus:fixed focus:start-3 focus:top-3"
      >
        Skip to content
      </a>
      <PublicHeader />
      <div className="grow">{children}</div>
      <PublicFooter />
    </div>
  );
}
