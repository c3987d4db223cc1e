import { useCallback } from "react";
import { useLocation, useNavigate } from "react-router";
import { useCountdown } from "~/lib/use-countdown";
import { redirectTarget } from "./model";

/** Leaves the page about an email after five seconds, unless the countdown is stopped. */
export function useRedirect() {
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const redirect = useCallback(() => {
    const target = redirectTarget(pathname);
    // The signing page is a separate document, which the router cannot render.
    if (target.startsWith("/waivers/")) window.location.assign(target);
    else void navigate(target, { replace: true });
  }, [navigate, pathname]);
  return useCountdown(5, redirect);
}
