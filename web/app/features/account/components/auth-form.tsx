import { errorMessage } from "~/lib/error-message";
import { Building2, UserRound } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { authClient } from "~/lib/auth";
import { isSecondFactorPending } from "~/lib/session";
import { useBrowserValue } from "~/lib/use-browser-value";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Choice, ChoiceGroup } from "~/ui/choice";
import { Field, FieldError } from "~/ui/field";
import { Form } from "~/ui/form";
import { Input } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import {
  firstProblem,
  pathAfterSignIn,
  readCredentials,
  type Account,
  type Credentials,
  type Mode,
  type SignInState,
} from "../model";
import { EmailInput } from "./email-input";
import { GoogleButton } from "./google-button";

const SecondFactorStep = lazy(() => import("./second-factor-step"));

const TEXTS = {
  signin: {
    submit: "Sign in",
    busy: "Signing in",
    failed: "Sign in failed",
    toggle: "Create an account",
    question: "New to Cairn?",
  },
  signup: {
    submit: "Create account",
    busy: "Creating account",
    failed: "Sign up failed",
    toggle: "Sign in",
    question: "Already have an account?",
  },
} as const;

/** This form is for signing in and signing up. It uses plain React state, because the page has a small size budget. */
export function AuthForm({ initialMode }: { initialMode: Mode }) {
  const [mode, setMode] = useState(initialMode);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const navigate = useNavigate();
  const { state } = useLocation() as { state: SignInState };
  const needsSecondFactor = useBrowserValue(isSecondFactorPending, false);
  const texts = TEXTS[mode];

  const finish = async (account: Account) => {
    toast(welcomeToast(mode, account));
    await navigate(pathAfterSignIn(account.role, state?.from), { replace: true });
  };
  const submit = async (form: HTMLFormElement) => {
    const credentials = readCredentials(new FormData(form));
    const inputProblem = firstProblem(mode, credentials);
    setProblem(inputProblem);
    if (inputProblem) {
      form.querySelector<HTMLInputElement>(`[name=${inputProblem.field}]`)?.focus();
      return;
    }
    setBusy(true);
    try {
      const account = await authenticate(mode, credentials);
      if (account) await finish(account);
      else if (!isSecondFactorPending()) throw new Error("Your account could not be loaded.");
    } catch (error) {
      setProblem({ field: "form", message: errorMessage(error) });
      toast({ title: texts.failed, description: errorMessage(error), destructive: true });
    } finally {
      setBusy(false);
    }
  };
  const toggle = () => {
    setProblem(null);
    setMode(mode === "signin" ? "signup" : "signin");
  };
  const errorOf = (field: Problem["field"]) => (problem?.field === field ? problem.message : undefined);

  if (needsSecondFactor) {
    // Cancelling discards the session. Setting the state then renders the form again.
    return (
      <Suspense>
        <SecondFactorStep onVerified={(account) => void finish(account)} onCancel={() => setProblem(null)} />
      </Suspense>
    );
  }
  return (
    <Form
      onSubmit={(form) => void submit(form)}
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
          {(control) => <Input {...control} name="name" autoComplete="name" onFocus={preload} />}
        </Field>
      )}
      <Field label="Email" error={errorOf("email")}>
        {(control) => <EmailInput {...control} />}
      </Field>
      <Field label="Password" hint={mode === "signup" && "At least 8 characters"} error={errorOf("password")}>
        {(control) => (
          <Input
            {...control}
            name="password"
            type="password"
            autoComplete={mode === "signup" ? "new-password" : "current-password"}
            onFocus={preload}
          />
        )}
      </Field>
      {mode === "signin" && (
        <Link to={paths.forgotPassword} className={`-my-3 flex items-center self-end ${LINK_CLASSES}`}>
          Forgot password?
        </Link>
      )}
      {problem?.field === "form" && <FieldError>{problem.message}</FieldError>}
      <Button type="submit" size="lg" busy={isBusy}>
        {isBusy ? texts.busy : texts.submit}
      </Button>
      <p className="text-center text-muted">
        {texts.question}{" "}
        <button type="button" onClick={toggle} className={LINK_CLASSES}>
          {texts.toggle}
        </button>
      </p>
    </Form>
  );
}

const LINK_CLASSES =
  "min-h-11 rounded font-medium text-forest-text underline decoration-forest/40 underline-offset-4 hover:decoration-forest";

type Problem = { field: "name" | "email" | "password" | "form"; message: string };

/** The auth client is loaded when the user enters a field, so that the page itself stays small. */
const preload = () => void authClient();

/** These functions are also loaded on demand. */
const LOADERS = {
  signin: () => import("../api/sign-in").then(({ signIn }) => signIn),
  signup: () => import("../api/sign-up").then(({ signUp }) => signUp),
};

async function authenticate(mode: Mode, credentials: Credentials): Promise<Account | null> {
  const send = await LOADERS[mode]();
  return send(credentials);
}

function welcomeToast(mode: Mode, { role }: Account) {
  if (mode === "signin") {
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  }
  return { title: "Account created!", description: `Your ${role} account has been successfully created.` };
}
