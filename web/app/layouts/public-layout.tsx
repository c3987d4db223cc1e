import { Outlet } from "react-router";
import { NeedsScript } from "~/ui/needs-script";
import PublicFrame from "./public-frame";

/** Lays out the public pages that need scripts. Those without any script use the layout in plain-layout.tsx. */
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
