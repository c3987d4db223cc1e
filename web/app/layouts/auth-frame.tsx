import { Link, Outlet } from "react-router";
import { paths } from "~/paths";
import { Logo, Mark } from "~/ui/logo";
import { NeedsScript } from "~/ui/needs-script";
import { Terrain } from "~/ui/terrain";

/** Frames the sign-in, sign-up and password pages. */
export default function AuthFrame() {
  return (
    <div className="grid min-h-dvh lg:grid-cols-[1fr_minmax(30rem,38rem)]">
      <aside className="relative isolate hidden overflow-clip bg-[oklch(0.27_0.055_158)] text-[oklch(0.95_0.02_150)] lg:block">
        <Terrain seed="first-light" fade="linear-gradient(#000, #000)" className="opacity-25" />
        <div className="sticky top-0 flex h-dvh flex-col justify-end p-14">
          <Mark className="size-20" />
          <p className="mt-8 max-w-md font-display text-4xl leading-tight font-semibold text-balance">
            Every guest signed before the boats touch the water.
          </p>
        </div>
      </aside>
      <div className="flex flex-col px-5 py-6 sm:px-12">
        <header>
          <Link to={paths.home} className="inline-block rounded-lg py-2">
            <Logo />
          </Link>
        </header>
        <main className="mx-auto flex w-full max-w-md grow flex-col justify-center py-10">
          <NeedsScript />
          <Outlet />
        </main>
      </div>
    </div>
  );
}
