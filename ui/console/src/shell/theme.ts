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
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser may refuse to keep anything: the theme is for this page then.
  }
}

export function readKept(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
