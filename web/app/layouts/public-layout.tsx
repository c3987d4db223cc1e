import { Link, Outlet } from "react-router";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Logo } from "~/ui/logo";

export default function PublicLayout() {
  return (
    <>
      <header className="sticky top-0 z-30 border-b border-line bg-ground/90 backdrop-blur-sm">
        <div className="mx-auto flex h-16 max-w-6xl items-center justify-between px-5">
          <Link to={paths.home} className="rounded-lg py-2">
            <Logo />
          </Link>
          <nav aria-label="Account" className="flex items-center gap-2">
            <Button asChild variant="ghost">
              <Link to={paths.signIn}>Sign in</Link>
            </Button>
            <Button asChild>
              <Link to={paths.signUp}>
                <span className="sm:hidden">Sign up</span>
                <span className="max-sm:hidden">Try it Free</span>
              </Link>
            </Button>
          </nav>
        </div>
      </header>
      <Outlet />
      <footer className="border-t border-line">
        <div className="mx-auto flex max-w-6xl flex-col gap-2 px-5 py-10 sm:flex-row sm:items-center sm:justify-between">
          <Logo />
          <p className="text-ink-soft">Simplifying waiver management for businesses.</p>
          <Link to={paths.verify} className="rounded py-2 underline underline-offset-4">
            Verify a document
          </Link>
        </div>
      </footer>
    </>
  );
}
