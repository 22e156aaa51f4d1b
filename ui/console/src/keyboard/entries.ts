import type { IconName } from '../parts/icon.tsx';
import type { TextKey } from '../texts/locales.ts';
import { type Found, placeOf } from './records.ts';

/** What can be created or reported, and the required scope. */
export const CREATIONS = [
  { to: '/users/new', icon: 'user-plus', title: 'userCreate', scope: 'write:users' },
  { to: '/users/import', icon: 'upload', title: 'importUsers', scope: 'write:users' },
  { to: '/invitations/new', icon: 'mail-plus', title: 'invite', scope: 'write:users' },
  { to: '/workspaces/new', icon: 'plus', title: 'workspaceCreate', scope: 'write:workspaces' },
  { to: '/roles/new', icon: 'plus', title: 'roleCreate', scope: 'write:roles' },
  { to: '/agents/new', icon: 'plus', title: 'agentCreate', scope: 'write:agents' },
  { to: '/agents/leak', icon: 'triangle-alert', title: 'leak', scope: 'delete:apikeys' },
  { to: '/clients/new', icon: 'plus', title: 'clientCreate', scope: 'write:clients' },
  { to: '/resources/new', icon: 'plus', title: 'resourceCreate', scope: 'write:clients' },
  {
    to: '/clients/registration-tokens/new',
    icon: 'plus',
    title: 'registrationTokenCreate',
    scope: 'write:clients',
  },
  { to: '/webhooks/new', icon: 'plus', title: 'webhookCreate', scope: 'write:webhooks' },
  { to: '/providers/new', icon: 'plus', title: 'providerCreate', scope: 'write:logins' },
  { to: '/tenants/new', icon: 'plus', title: 'tenantCreate', isOfSystem: true },
] as const satisfies readonly Offered[];

/** An entry that the palette offers, and who can use it. */
export interface Offered {
  readonly to: string;
  readonly icon: IconName;
  readonly title: TextKey;
  readonly scope?: string;
  /** For system administrators. */
  readonly isOfSystem?: boolean;
}

/** The user of the palette: their language and permissions. */
interface Reader {
  readonly say: (key: TextKey) => string;
  readonly can: (scope: string) => boolean;
  readonly isSystemAdministrator: boolean;
}

export interface Entry extends Found {
  readonly text: string;
  readonly icon: IconName;
  /** Distinguishes records with the same name. */
  readonly about?: string;
  /** Whether it leads to a page of another tenant. */
  readonly isElsewhere?: boolean;
}

/** Entries of one kind. */
export interface EntryGroup {
  readonly title: TextKey;
  readonly entries: readonly Entry[];
}

/** Returns the entries whose name contains every word that was typed. */
export function entriesFor(
  typed: string,
  offered: readonly Offered[],
  { say, can, isSystemAdministrator }: Reader,
): Entry[] {
  return offered
    .filter(({ isOfSystem = false }) => isSystemAdministrator || !isOfSystem)
    .filter(({ scope }) => scope === undefined || can(scope))
    .map(({ to, icon, title }) => ({ to, icon, text: say(title) }))
    .filter(({ text }) => hasWords(text, typed));
}

/** Returns the screen of the record whose ID, request ID or email address was pasted. */
export function pastedEntry(typed: string, isSystemAdministrator: boolean): Entry[] {
  const pasted = placeOf(typed, isSystemAdministrator);
  return pasted ? [{ ...pasted, icon: 'arrow-right', text: typed.trim() }] : [];
}

/** Whether a text contains every word that was typed, regardless of accents and case. */
function hasWords(text: string, typed: string): boolean {
  const folded = foldCase(text);
  return foldCase(typed)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

function foldCase(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
