import { Menu, X } from "lucide-react";
import { Link, NavLink } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Logo } from "~/ui/logo";

const LINKS = [
  ["Features", paths.features],
  ["Pricing", paths.pricing],
  ["About", paths.about],
] as const;

export function PublicHeader() {
  return (
    <header className="sticky top-[var(--banner-height,0px)] z-30 border-b border-line bg-ground/95">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <Link to={paths.home} aria-label="Cairn, home" className="rounded-lg py-2">
          <Logo />
        </Link>
        <nav aria-label="Pages" className="ms-8 hidden items-center gap-1 md:flex">
          <PageLinks
            links={LINKS}
            className="rounded-control px-3.5 py-2.5 text-[0.9375rem] font-medium text-muted transition-colors hover:bg-sunken hover:text-foreground aria-[current=page]:text-forest-text"
          />
        </nav>
        <div className="ms-auto flex items-center gap-1 sm:gap-2">
          <Button asChild variant="ghost" className="max-sm:px-3">
            <Link to={paths.signIn}>Sign in</Link>
          </Button>
          <Button asChild>
            <Link to={paths.signUp}>
              <span className="sm:hidden">Sign up</span>
              <span className="max-sm:hidden">Try it Free</span>
            </Link>
          </Button>
          <PhoneMenu />
        </div>
      </div>
    </header>
  );
}

/** The menu is a `details` element, which works without a script and tells screen readers whether it is open. */
function PhoneMenu() {
  return (
    <details className="group md:hidden">
      <summary
        aria-label="Menu"
        className="grid size-11 cursor-pointer list-none place-items-center rounded-control text-muted hover:bg-sunken [&::-webkit-details-marker]:hidden"
      >
        <Menu className="size-5 group-open:hidden" aria-hidden />
        <X className="hidden size-5 group-open:block" aria-hidden />
      </summary>
      <nav
        aria-label="Pages"
        className="absolute inset-x-0 top-full border-b border-line bg-ground px-4 pt-2 pb-4 shadow-lift"
      >
        <PageLinks
          links={[...LINKS, ["Blog", paths.blog], ["Contact", paths.contact]]}
          className="block border-b border-line py-3.5 text-lg font-medium last:border-0 aria-[current=page]:text-forest-text"
        />
      </nav>
    </details>
  );
}

type PageLinksProps = { links: readonly (readonly [name: string, path: string])[]; className: string };

function PageLinks({ links, className }: PageLinksProps) {
  return links.map(([name, path]) => (
    <NavLink key={path} to={path} className={className}>
      {name}
    </NavLink>
  ));
}
