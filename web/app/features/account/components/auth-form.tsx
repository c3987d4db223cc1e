import { Building2, UserRound } from "lucide-react";
import { useState, type FocusEvent } from "react";
import { useForm } from "react-hook-form";
import { connect } from "~/lib/supabase";
import { Button } from "~/ui/button";
import { Choice, ChoiceGroup } from "~/ui/choice";
import { Field, FieldError } from "~/ui/field";
import { Input } from "~/ui/input";
import { toast } from "~/ui/toast-store";
import { useSignIn } from "../api/sign-in";
import { useSignUp } from "../api/sign-up";
import { firstProblem, messageOf, type Credentials, type Mode } from "../model";

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

/** One form for both: signing up only asks for a little more. */
export function AuthForm({ initialMode }: { initialMode: Mode }) {
  const [mode, setMode] = useState(initialMode);
  const form = useForm<Credentials>({
    defaultValues: { name: "", role: "company", email: "", password: "" },
  });
  const { register, formState, setError, setFocus, clearErrors, handleSubmit } = form;
  const [signIn, signUp] = [useSignIn(), useSignUp()];
  const words = WORDS[mode];

  const submit = handleSubmit(async (typed) => {
    const problem = firstProblem(mode, typed);
    if (problem) {
      setError(problem.field, { message: problem.message });
      setFocus(problem.field);
      return;
    }
    try {
      await (mode === "signup" ? signUp : signIn).mutateAsync(typed);
      toast(welcome(mode, typed));
    } catch (error) {
      setError("root", { message: messageOf(error) });
      toast({ title: words.failed, description: messageOf(error), destructive: true });
    }
  });
  const toggle = () => {
    clearErrors();
    setMode(mode === "signin" ? "signup" : "signin");
  };
  const field = (name: keyof Credentials) => register(name, { onChange: () => clearErrors() });

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      onFocus={prepare}
      className="flex flex-col gap-5"
    >
      {mode === "signup" && (
        <>
          <Field label="Full Name" error={formState.errors.name?.message}>
            {(control) => <Input {...control} {...field("name")} autoComplete="name" />}
          </Field>
          <ChoiceGroup legend="I am a:">
            <Choice icon={Building2} label="Company" value="company" {...register("role")} />
            <Choice icon={UserRound} label="Customer" value="customer" {...register("role")} />
          </ChoiceGroup>
        </>
      )}
      <Field label="Email" error={formState.errors.email?.message}>
        {(control) => (
          <Input {...control} {...field("email")} type="email" autoComplete="email" inputMode="email" />
        )}
      </Field>
      <Field
        label="Password"
        hint={mode === "signup" && "At least 8 characters"}
        error={formState.errors.password?.message}
      >
        {(control) => (
          <Input
            {...control}
            {...field("password")}
            type="password"
            autoComplete={mode === "signup" ? "new-password" : "current-password"}
          />
        )}
      </Field>
      {formState.errors.root && <FieldError>{formState.errors.root.message}</FieldError>}
      <Button type="submit" size="lg" busy={formState.isSubmitting}>
        {formState.isSubmitting ? words.busy : words.submit}
      </Button>
      <p className="text-center text-ink-soft">
        {words.ask}{" "}
        <button
          type="button"
          onClick={toggle}
          className="min-h-11 rounded font-medium text-forest-ink underline decoration-forest/40 underline-offset-4 hover:decoration-forest"
        >
          {words.toggle}
        </button>
      </p>
    </form>
  );
}

/** The client is fetched when someone begins to type, so the page itself stays light. */
function prepare(event: FocusEvent): void {
  if (event.target instanceof HTMLInputElement) void connect();
}

function welcome(mode: Mode, { role }: Credentials) {
  if (mode === "signin")
    return { title: "Welcome back!", description: "You've been successfully signed in." };
  return { title: "Account created!", description: `Your ${role} account has been successfully created.` };
}
