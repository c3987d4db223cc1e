export type Theme = "light" | "dark" | "system";

const YEAR_SECONDS = 31_536_000;

/**
 * This script runs before the first paint, so that the theme never flashes. It reads a cookie, because signing out
 * clears the storage.
 */
export const THEME_SCRIPT = `{const t=/(?:^|; )theme=(light|dark)/.exec(document.cookie);if(t)document.documentElement.dataset.theme=t[1]}`;

export function chosenTheme(): Theme {
  return parseTheme(document.documentElement.dataset.theme);
}

export function parseTheme(name: string | undefined): Theme {
  return name === "light" || name === "dark" ? name : "system";
}

export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  document.cookie = `theme=${theme}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}
