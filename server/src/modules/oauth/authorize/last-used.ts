import type { Cookie } from '../../../platform/http/pages/cookies.ts';
import type { Interaction } from './interaction.ts';
import type { Fields } from './step-call.ts';

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** The first proof of each button. */
const PROOFS: ReadonlyMap<string, string> = new Map([
  ['register', 'password'],
  ['password', 'password'],
  ['code', 'code'],
  ['link', 'code'],
  ['prove_passkey', 'passkey'],
]);

/**
 * The method of a login, as far as this step shows: `password`, `code`, `passkey` or the ID of an identity provider. A
 * second factor does not change it. A user who recovers their account has a password afterwards.
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
 * What the browser stores for its next login, without names or addresses. It is untrusted, and only marks a method that
 * the page offers anyway.
 */
export function methodCookie(value: string): Cookie<'method'> {
  return { name: 'method', value, maxAgeSeconds: YEAR_SECONDS };
}
