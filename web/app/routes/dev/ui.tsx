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

export const meta = () => [{ title: "Every component · Cairn" }];

/** Shows developers every component of `ui` in every state. The page exists only in development. */
export default function UiCatalog() {
  const [isRightToLeft, setRightToLeft] = useState(false);
  const toggleDirection = () => {
    document.documentElement.dir = isRightToLeft ? "ltr" : "rtl";
    setRightToLeft(!isRightToLeft);
  };
  return (
    <main className="mx-auto grid max-w-5xl gap-12 px-5 py-10">
      <PageHeader
        title="Every component"
        actions={
          <>
            <Button variant="secondary" onClick={() => chooseTheme("light")}>
              Light
            </Button>
            <Button variant="secondary" onClick={() => chooseTheme("dark")}>
              Dark
            </Button>
            <Button variant="secondary" onClick={toggleDirection}>
              {isRightToLeft ? "Left to right" : "Right to left"}
            </Button>
          </>
        }
      >
        What the screens are built from.
      </PageHeader>
      <Direction.Provider dir={isRightToLeft ? "rtl" : "ltr"}>
        <Controls />
        <Choices />
        <Messages />
        <Overlays />
      </Direction.Provider>
      <Toasts />
    </main>
  );
}
