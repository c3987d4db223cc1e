import { Monitor, Moon, Sun } from "lucide-react";
import { useState } from "react";
import { chooseTheme, chosenTheme, parseTheme } from "~/lib/theme";
import { MenuChoice, MenuChoices, MenuLabel } from "./menu";

/** Renders the menu items for the light, dark and system theme. */
export function ThemeChoices() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (value: string) => {
    chooseTheme(parseTheme(value));
    setTheme(parseTheme(value));
  };
  return (
    <>
      <MenuLabel>Appearance</MenuLabel>
      <MenuChoices value={theme} onValueChange={choose}>
        <MenuChoice icon={Sun} value="light">
          Light
        </MenuChoice>
        <MenuChoice icon={Moon} value="dark">
          Dark
        </MenuChoice>
        <MenuChoice icon={Monitor} value="system">
          System
        </MenuChoice>
      </MenuChoices>
    </>
  );
}
