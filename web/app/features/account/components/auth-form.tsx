import { Building2, UserRound } from "lucide-react";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { authClient } from "~/lib/auth";
import { isSecondFactorPending } from "~/lib/session";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Choice, ChoiceGroup } from "~/ui/choice";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import {
  firstProblem,
  landing,
  messageOf,
  readCredentials,
  type Account,
  type Credentials,
  type Mode,
  type WantedPlace,
} from "../model";
import { GoogleButton } from "./google-button";

const SecondStep = lazy(() => import("./second-step"));

const WORDS = {
  signin: {
    submit: "Sign in",
    busy: "Signing in",
    failed: "Sign in failed",
    toggle: "Create an account",
    ask: "New to Cairn?",
  },
  signup: {
    submit: "Create account",
    busy: "Creating account",
    failed: "Sign up failed",
    toggle: "Sign in",
    ask: "Already have an account?",
  },
} as const;

/** One form for both: signing up only asks for a little more. Plain React, because this page must be light. */
export function AuthForm({ initialMode }: { initialMode: Mode }) {
  const [mode, setMode] = useState(initialMode);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const { state } = useLocation() as { state: WantedPlace };
  const isHalfway = useSyncExternalStore(never, isSecondFactorPending, () => false);
  const words = WORDS[mode];

  const land = async (account: Account) => {
    toast(welcome(mode, account));
    await navigate(landing(account.role, state?.from), { replace: true });
  };
  const submit = async (form: HTMLFormElement) => {
    const typed = readCredentials(new FormData(form));
    const missing = firstProblem(mode, typed);
    setProblem(missing);
    if (missing) {
      form.querySelector<HTMLInputElement>(`[name=${missing.field}]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      const account = await enter(mode, typed);
      if (account) await land(account);
      else if (!isSecondFactorPending()) throw new Error("Your account could not be loaded.");
    } catch (error) {
      setProblem({ field: "form", message: messageOf(error) });
      toast({ title: words.failed, description: messageOf(error), destructive: true });
    } finally {
      setBusy(false);
    }
  };
  const toggle = () => {
    setProblem(null);
    setMode(mode === "signin" ? "signup" : "signin");
  };
  const errorOf = (field: Problem["field"]) => (problem?.field === field ? problem.message : undefined);

  if (isHalfway) {
    return (
      <Suspense>
        <SecondStep onProven={(account) => void land(account)} onGiveUp={() => setProblem(null)} />
      </Suspense>
    );
  }
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(event.currentTarget);
      }}
      onChange={() => setProblem(null)}
      className="flex flex-col gap-5"
    >
      {mode === "signup" && (
        <ChoiceGroup legend="I am a:">
          <Choice icon={Building2} label="Company" name="role" value="company" defaultChecked />
          <Choice icon={UserRound} label="Customer" name="role" value="customer" />
        </ChoiceGroup>
      )}
      <GoogleButton mode={mode} />
      <p className="flex items-center gap-4 text-sm text-muted before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">
        OR
      </p>
      {mode === "signup" && (
        <Field label="Full Name" error={errorOf("name")}>
          {(control) => <Input {...control} name="name" autoComplete="name" onFocus={prepare} />}
        </Field>
      )}
      <Field label="Email" error={errorOf("email")}>
        {(control) => (
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="email"
            inputMode="email"
            onFocus={prepare}
          />
        )}
      </Field>
      <Field label="Password" hint={mode === "signup" && "At least 8 characters"} error={errorOf("password")}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete={mode === "signup" ? "new-password" : "current-password"}
            onFocus={prepare}
          />
        )}
      </Field>
      {mode === "signin" && (
        <Link to={paths.forgotPassword} className={`-my-3 flex items-center self-end ${LINK}`}>
          Forgot password?
        </Link>
      )}
      {problem?.field === "form" && <FieldError>{problem.message}</FieldError>}
      <Button type="submit" size="lg" busy={isBusy}>
        {isBusy ? words.busy : words.submit}
      </Button>
      <p className="text-center text-muted">
        {words.ask}{" "}
        <button type="button" onClick={toggle} className={LINK}>
          {words.toggle}
        </button>
      </p>
    </form>
  );
}

const LINK =
  "min-h-11 rounded font-medium text-forest-text underline decoration-forest/40 underline-offset-4 hover:decoration-forest";

type Problem = { field: "name" | "email" | "password" | "form"; message: string };

/** What signing in needs is fetched when someone begins to type, so the page itself stays light. */
const DOORS = {
  signin: () => import("../api/sign-in").then(({ signIn }) => signIn),
  signup: () => import("../api/sign-up").then(({ signUp }) => signUp),
};

const prepare = () => void authClient();

const never = () => () => {};

async function enter(mode: Mode, typed: Credentials): Promise<Account | null> {
  const door = await DOORS[mode]();
  return door(typed);
}

function welcome(mode: Mode, { role }: Account) {
  if (mode === "signin") {
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  }
  return { title: "Account created!", description: `Your ${role} account has been successfully created.` };
}
