import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { useSignOut } from "../api/sign-out";

export function SignInAgainButton() {
  const signOut = useSignOut(paths.signIn);
  return (
    <Button busy={signOut.isPending} onClick={() => signOut.mutate()}>
      Sign in again
    </Button>
  );
}
