// How this browser shows the console: the theme, the height of rows, and the width of the rail.

export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
export const DENSITIES = ['comfortable', 'compact'] as const;
export type Density = (typeof DENSITIES)[number];

const THEME = 'keywright-theme';
const DENSITY = 'keywright-density';
const RAIL = 'keywright-rail';

export function readTheme(): Theme {
  const stored = readStored(THEME);
  return THEMES.find((theme) => theme === stored) ?? 'auto';
}

/** Applies a theme, and stores it for this browser. */
export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  // If the browser refuses to store the theme, it applies to this page only.
  keep(THEME, theme);
}

export function readDensity(): Density {
  return readStored(DENSITY) === 'compact' ? 'compact' : 'comfortable';
}

/** Applies a density, and stores it for this browser. */
export function applyDensity(density: Density): void {
  if (density === 'compact') document.documentElement.dataset['density'] = density;
  else delete document.documentElement.dataset['density'];
  keep(DENSITY, density);
}

export function isRailNarrow(): boolean {
  return readStored(RAIL) === 'narrow';
}

export function storeRail(isNarrow: boolean): void {
  keep(RAIL, isNarrow ? 'narrow' : 'wide');
}

/** Stores a text for this browser. @returns whether the browser stored it */
export function keep(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export function readStored(key: string): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined;
  } catch {
    return undefined;
  }
}
