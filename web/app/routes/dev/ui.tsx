import { Direction } from "radix-ui";
import { useState } from "react";
import { chooseTheme } from "~/lib/theme";
import { Button } from "~/ui/button";
import { PageHeader } from "~/ui/page-header";
import { Toasts } from "~/ui/toasts";
import { Choices } from "~/features/ui-catalog/choices";
import { Controls } from "~/features/ui-catalog/controls";
import { Messages } from "~/features/ui-catalog/messages";
import { Overlays } from "~/features/ui-catalog/overlays";

export const meta = () => [{ title: "Every piece · Cairn" }];

/** Every piece of `ui` in every state, for those who build with them. Only in development. */
export default function Pieces() {
  const [isTurned, setTurned] = useState(false);
  const turn = () => {
    document.documentElement.dir = isTurned ? "ltr" : "rtl";
    setTurned(!isTurned);
  };
  return (
    <main className="mx-auto grid max-w-5xl gap-12 px-5 py-10">
      <PageHeader
        title="Every piece"
        actions={
          <>
            <Button variant="secondary" onClick={() => chooseTheme("light")}>
              Light
            </Button>
            <Button variant="secondary" onClick={() => chooseTheme("dark")}>
              Dark
            </Button>
            <Button variant="secondary" onClick={turn}>
              {isTurned ? "Left to right" : "Right to left"}
            </Button>
          </>
        }
      >
        What the screens are built from.
      </PageHeader>
      <Direction.Provider dir={isTurned ? "rtl" : "ltr"}>
        <Controls />
        <Choices />
        <Messages />
        <Overlays />
      </Direction.Provider>
      <Toasts />
    </main>
  );
}
