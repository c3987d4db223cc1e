import { errorMessage } from "~/lib/error-message";
import { useEffect, useState } from "react";
import { Button } from "~/ui/button";
import { toast } from "~/ui/toast-store";
import { readCredentials, type Mode, type Role } from "../model";

/** Only tests pass `navigate`. */
type Props = { mode: Mode; navigate?: (url: string) => void };

/** This button has to be inside the auth form, because on sign-up the chosen role is part of the request. */
export function GoogleButton({ mode, navigate = (url) => window.location.assign(url) }: Props) {
  const [isConnecting, setConnecting] = useState(false);
  useEffect(() => {
    // After the Back button the browser shows the page as it was left, so the connecting state has to be reset.
    const reset = () => setConnecting(false);
    window.addEventListener("pageshow", reset);
    return () => window.removeEventListener("pageshow", reset);
  }, []);

  const connect = async (role: Role | null) => {
    setConnecting(true);
    try {
      const { googleSignInUrl } = await import("../api/google-sign-in");
      const url = await googleSignInUrl(role);
      toast({ title: "Redirecting to Google" });
      navigate(url);
    } catch (error) {
      setConnecting(false);
      toast({ title: "Google sign in failed", description: errorMessage(error), destructive: true });
    }
  };

  return (
    <Button
      variant="secondary"
      size="lg"
      busy={isConnecting}
      onClick={({ currentTarget: { form } }) => void connect(mode === "signup" && form ? roleIn(form) : null)}
    >
      {!isConnecting && <GoogleMark />}
      {isConnecting ? "Connecting to Google..." : "Continue with Google"}
    </Button>
  );
}

const roleIn = (form: HTMLFormElement): Role => readCredentials(new FormData(form)).role;

function GoogleMark() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden>
      <path
        fill="#4285F4"
        d="M22.5 12.2c0-.8-.1-1.5-.2-2.2H12v4.3h5.9a5 5 0 0 1-2.2 3.3v2.8h3.6c2-1.9 3.2-4.7 3.2-8.2Z"
      />
      <path
        fill="#34A853"
        d="M12 23c3 0 5.5-1 7.3-2.6l-3.6-2.8c-1 .7-2.2 1-3.7 1-2.9 0-5.3-1.9-6.2-4.500H2.200v2.900A11 11 0 0 0 12 23Z"
      />
      <path fill="#FBBC05" d="M5.8 14.100a6.6 6.6 0 0 1 0-4.200V7H2.200a11 11 0 0 0 0 10l3.6-2.900Z" />
      <path
        fill="#EA4335"
        d="M12 5.400c1.6 0 3.1.6 4.2 1.600l3.2-3.200A11 11 0 0 0 2.2 7l3.6 2.900C6.7 7.3 9.1 5.4 12 5.400Z"
      />
    </svg>
  );
}
