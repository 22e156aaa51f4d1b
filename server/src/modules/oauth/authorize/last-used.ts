import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import type { Interaction } from './interaction.ts';
import type { Fields } from './step-call.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The first proof that a button gives. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['register', 'password'],
  ['password', 'password'],
  ['code', 'code'],
  ['link', 'code'],
  ['prove_passkey', 'passkey'],
]);

/**
 * How a login is made, as far as this step tells: `password`, `code`, `passkey` or the id of an identity provider. A second
 * factor changes nothing; whoever recovers their account has a password from then on.
 */
export function methodAfter(
  { flow }: Pick<Interaction, 'flow'>,
  { action, secret }: Pick<Fields, 'action' | 'secret'>,
): string | undefined {
  if (action === 'new_password') return 'password';
  if (flow?.method !== undefined) return flow.method;
  if (action === 'login') return secret ? 'password' : undefined;
  return PROOFS.get(action);
}

/**
 * What the browser keeps for its next login: no name and no address. It is believed in nothing, and marks a way to log in
 * that the page offers anyway.
 */
export function methodCookie(value: string): Cookie<'method'> {
  return { name: 'method', value, maxAgeSeconds: YEAR_SECONDS };
}
