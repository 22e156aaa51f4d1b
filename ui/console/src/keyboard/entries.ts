import type { TextKey } from '../texts/locales.ts';
import { type Found, placeOf } from './records.ts';

/** What can be created or reported, and the required scope. */
export const CREATIONS = [
  { to: '/users/new', title: 'userCreate', scope: 'write:users' },
  { to: '/users/import', title: 'importUsers', scope: 'write:users' },
  { to: '/invitations/new', title: 'invite', scope: 'write:users' },
  { to: '/workspaces/new', title: 'workspaceCreate', scope: 'write:workspaces' },
  { to: '/roles/new', title: 'roleCreate', scope: 'write:roles' },
  { to: '/agents/new', title: 'agentCreate', scope: 'write:agents' },
  { to: '/agents/leak', title: 'leak', scope: 'delete:apikeys' },
  { to: '/clients/new', title: 'clientCreate', scope: 'write:clients' },
  { to: '/resources/new', title: 'resourceCreate', scope: 'write:clients' },
  {
    to: '/clients/registration-tokens/new',
    title: 'registrationTokenCreate',
    scope: 'write:clients',
  },
  { to: '/webhooks/new', title: 'webhookCreate', scope: 'write:webhooks' },
  { to: '/providers/new', title: 'providerCreate', scope: 'write:logins' },
  { to: '/tenants/new', title: 'tenantCreate', isOfSystem: true },
] as const satisfies readonly Offered[];

/** An entry that the palette offers, and who can use it. */
export interface Offered {
  readonly to: string;
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
}

/** Returns the entries whose name contains every word that was typed. */
export function entriesFor(
  typed: string,
  offered: readonly Offered[],
  { say, can, isSystemAdministrator }: Reader,
): Entry[] {
  const words = foldCase(typed).split(/\s+/).filter(Boolean);
  const named = offered
    .filter(({ isOfSystem = false }) => isSystemAdministrator || !isOfSystem)
    .filter(({ scope }) => scope === undefined || can(scope))
    .map(({ to, title }) => ({ to, text: say(title) }))
    .filter(({ text }) => words.every((word) => foldCase(text).includes(word)));
  const pasted = placeOf(typed, isSystemAdministrator);
  return pasted ? [{ ...pasted, text: typed.trim() }, ...named] : named;
}

function foldCase(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
