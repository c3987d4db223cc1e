import { Outlet } from "react-router";
import { NeedsScript } from "~/ui/needs-script";
import PublicFrame from "./public-frame";

/** Lays out public pages that need scripts. The other public pages use the plain layout. */
export default function PublicLayout() {
  return (
    <PublicFrame>
      <div className="mx-auto max-w-2xl px-5">
        <NeedsScript />
      </div>
      <Outlet />
    </PublicFrame>
  );
}
