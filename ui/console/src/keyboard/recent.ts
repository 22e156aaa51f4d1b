import { keep, readStored } from '../shell/appearance.ts';

/** A record or a screen that the user opened from the palette in this browser. */
export interface Recent {
  /** Below the tenant. */
  readonly to: string;
  readonly text: string;
}

const MOST = 5;
const keyOf = (tenant: string, user: string) => `keywright-recent ${tenant} ${user}`;

/** Returns what was opened, latest first. Ignores data written by other code. */
export function recentOf(stored: string | undefined): readonly Recent[] {
  const parts = parsed(stored);
  if (!Array.isArray(parts)) return [];
  return parts.slice(0, MOST).flatMap((part: unknown) => {
    const { to, text } = Object(part) as Readonly<Record<string, unknown>>;
    const isGood =
      typeof to === 'string' && /^\/(?!\/)[\w/:.-]{0,200}$/.test(to) && typeof text === 'string';
    return isGood ? [{ to, text }] : [];
  });
}

function parsed(stored: string | undefined): unknown {
  try {
    return JSON.parse(stored ?? '[]');
  } catch {
    return [];
  }
}

export function readRecent(tenant: string, user: string): readonly Recent[] {
  return recentOf(readStored(keyOf(tenant, user)));
}

/** For this user and tenant, in this browser. */
export function noteRecent(tenant: string, user: string, { to, text }: Recent): void {
  const others = readRecent(tenant, user).filter((recent) => recent.to !== to);
  keep(keyOf(tenant, user), JSON.stringify([{ to, text }, ...others].slice(0, MOST)));
}
