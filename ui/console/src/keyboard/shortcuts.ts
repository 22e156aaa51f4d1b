// What keys do, apart from the browser's own shortcuts.

/** The screens that `g` and then a letter open. */
export const GO: Readonly<Record<string, string>> = {
  o: '/',
  u: '/users',
  s: '/sessions',
  w: '/workspaces',
  r: '/roles',
  a: '/agents',
  k: '/keys',
  c: '/clients',
  h: '/webhooks',
  l: '/audit',
  t: '/settings',
};

export type Shortcut =
  | { readonly does: 'palette' | 'help' | 'search' | 'create' | 'wait' }
  | { readonly does: 'go'; readonly to: string };

interface Pressed {
  readonly key: string;
  /** Whether Ctrl or Cmd is pressed. */
  readonly isCommand: boolean;
  readonly isAlt: boolean;
  /** Whether the focused element accepts letters, or a dialog is open. */
  readonly isTaken: boolean;
  /** Whether the previous key was `g`. */
  readonly isAfterG: boolean;
  /** Whether single-letter keys are on. Users of speech input turn them off (WCAG 2.2 §2.1.4). */
  readonly hasLetters: boolean;
}

const LETTERS: Readonly<Record<string, Shortcut>> = {
  '?': { does: 'help' },
  '/': { does: 'search' },
  c: { does: 'create' },
  g: { does: 'wait' },
};

export function shortcutOf(pressed: Pressed): Shortcut | undefined {
  const { key, isCommand, isAlt, isTaken, isAfterG, hasLetters } = pressed;
  if (isCommand) return key.toLowerCase() === 'k' && !isAlt ? { does: 'palette' } : undefined;
  if (isAlt || isTaken || !hasLetters) return undefined;
  if (isAfterG) {
    const to = Object.hasOwn(GO, key) ? GO[key] : undefined;
    return to === undefined ? undefined : { does: 'go', to };
  }
  return Object.hasOwn(LETTERS, key) ? LETTERS[key] : undefined;
}

const STORAGE_KEY = 'keywright-letters';

export function areLettersOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off';
  } catch {
    return true;
  }
}

/** Turns single-letter keys on or off for this browser. */
export function turnLetters(isOn: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? 'on' : 'off');
  } catch {
    // If the browser refuses to store the setting, the letters remain on.
  }
}
