import type { Fail } from '@keywright/contract/errors';
import type { TenantConfigPatch, TenantRecord } from '@keywright/contract/records/tenant';
import { relyingPartyOf } from '../../../tenancy/login-methods.ts';

export const PASSKEYS_IN_USE =
  'Users have passkeys that are bound to the previous domain, and would stop working. Send force=true to change it anyway; dry_run=true says how many users have them.';

interface Changed {
  readonly config?: TenantConfigPatch | undefined;
  readonly domains?: readonly string[] | undefined;
  readonly issuer?: string | null | undefined;
}

type Named = Pick<TenantRecord, 'issuer' | 'config' | 'domains'>;

/**
 * Rejects a domain of passkeys that is not the tenant's: browsers would let every page below it ask for them. Only a
 * system administrator sets the domains and the issuer that it may be derived from.
 */
export async function requirePasskeyDomain(
  { config, domains, issuer }: Changed,
  after: Named,
  fail: Fail<'VALIDATION_FAILED'>,
): Promise<void> {
  const { passkey_rp_id: id } = after.config;
  const isTouched = config?.passkey_rp_id ?? domains ?? issuer;
  if (id === null || isTouched === undefined) return;
  const hosts = [...after.domains, new URL(after.issuer).hostname];
  if (hosts.includes(id)) return;
  const isParent = hosts.some((host) => host.endsWith(`.${id}`));
  if (isParent && (await isRegistrable(id))) return;
  const message = isParent
    ? 'is a domain under which anybody can register names'
    : 'must be a domain of the tenant or the host of its issuer, or a parent of one of them';
  fail('VALIDATION_FAILED', { errors: [{ path: '/config/passkey_rp_id', message }] });
}

/** Whether it belongs to somebody (https://publicsuffix.org). The list is loaded on first use. */
async function isRegistrable(domain: string): Promise<boolean> {
  const { getDomain } = await import('tldts');
  return getDomain(domain, { allowPrivateDomains: true }) !== null;
}

/** The domain that passkeys are bound to after a change; undefined if it stays the same. */
export function newPasskeyDomain(before: Named, after: Named): string | undefined {
  const [old, next] = [relyingPartyOf(before), relyingPartyOf(after)];
  // Without one, those that there are cannot be used either.
  return old?.id === next?.id ? undefined : (next?.id ?? '');
}
