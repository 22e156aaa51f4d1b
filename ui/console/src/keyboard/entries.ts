import type { TextKey } from '../texts/catalogue.ts';
import { type Found, placeOf } from './records.ts';

/** What can be created, and the scope that it takes. */
export const CREATIONS = [
  { to: '/users/new', title: 'userCreate', scope: 'write:users' },
  { to: '/workspaces/new', title: 'workspaceCreate', scope: 'write:workspaces' },
  { to: '/roles/new', title: 'roleCreate', scope: 'write:roles' },
  { to: '/agents/new', title: 'agentCreate', scope: 'write:agents' },
  { to: '/clients/new', title: 'clientCreate', scope: 'write:clients' },
  { to: '/webhooks/new', title: 'webhookCreate', scope: 'write:webhooks' },
] as const satisfies readonly Offered[];

/** What the palette offers, to whom. */
export interface Offered {
  readonly to: string;
  readonly title: TextKey;
  readonly scope?: string;
}

export interface Entry extends Found {
  readonly text: string;
}

/** The entries that are meant by what was typed: every word of it is in their name. */
export function entriesFor(
  typed: string,
  offered: readonly Offered[],
  { say, can }: { say: (key: TextKey) => string; can: (scope: string) => boolean },
): Entry[] {
  const words = foldCase(typed).split(/\s+/).filter(Boolean);
  const named = offered
    .filter(({ scope }) => scope === undefined || can(scope))
    .map(({ to, title }) => ({ to, text: say(title) }))
    .filter(({ text }) => words.every((word) => foldCase(text).includes(word)));
  const pasted = placeOf(typed);
  return pasted ? [{ ...pasted, text: typed.trim() }, ...named] : named;
}

function foldCase(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
