import type { Fail, FieldError } from '@keywright/contract/errors';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { OAuthClientRecord } from '@keywright/contract/records/oauth-client';

/** What the service calls. */
const CALLED = ['backchannel_logout_uri', 'jwks_uri', 'sector_identifier_uri'] as const;

/**
 * Rejects addresses that can never be called, as far as can be told without DNS. Host names are resolved when they are
 * called.
 */
export function requireCallable(
  egress: Pick<Egress, 'findObjection'>,
  client: Partial<Pick<OAuthClientRecord, (typeof CALLED)[number]>>,
  fail: Fail<'VALIDATION_FAILED'>,
): void {
  const errors = CALLED.flatMap((name): FieldError[] => {
    const objection = objectionTo(egress, client[name] ?? undefined);
    const message = `cannot be called. ${objection}`;
    return objection === undefined ? [] : [{ path: `/${name}`, message }];
  });
  if (errors.length > 0) fail('VALIDATION_FAILED', { errors });
}

/** OpenID Connect Back-Channel Logout §2.2: without a fragment, which nobody would send. */
function objectionTo(
  egress: Pick<Egress, 'findObjection'>,
  uri: string | undefined,
): string | undefined {
  if (uri === undefined) return undefined;
  return uri.includes('#') ? 'It must have no fragment.' : egress.findObjection(uri)?.detail;
}
