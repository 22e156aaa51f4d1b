export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'keywright-theme';

export function readTheme(): Theme {
  const kept = readKept(KEY);
  return THEMES.find((one) => one === kept) ?? 'auto';
}

/** For this browser, from now on. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  // A browser may refuse to keep anything: the theme is for this page then.
  keep(KEY, theme);
}

/** For this browser. @returns whether it does */
export function keep(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export function readKept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
