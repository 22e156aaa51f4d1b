import type { Fail } from '@keywright/contract/errors';
import type { Egress } from '../../../platform/egress/egress.ts';

/**
 * Rejects an address that nobody could be told at (OpenID Connect Back-Channel Logout §2.2). Host names are resolved when it
 * is called.
 */
export function requireCallable(
  egress: Egress,
  uri: string | null | undefined,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  if (uri === undefined || uri === null) return;
  const objection = uri.includes('#') ? FRAGMENT : egress.findObjection(uri)?.detail;
  if (objection === undefined) return;
  const message = `cannot be called. ${objection}`;
  fail('VALIDATION_FAILED', { errors: [{ path: '/backchannel_logout_uri', message }] });
}

const FRAGMENT = 'It must have no fragment.';
