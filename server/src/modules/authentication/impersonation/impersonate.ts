import type { Fail } from '@keywright/contract/errors';
import { DEFAULT_TENANT, DEFAULT_WORKSPACE } from '@keywright/contract/ids';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { impersonate } from '@keywright/contract/routes/auth';
import { LONGEST_IMPERSONATION_SECONDS } from '@keywright/contract/routes/impersonations';
import type { Clock } from '../../../platform/clock.ts';
import type { UserCaller } from '../../../tenancy/caller.ts';
import type { TenantDirectory } from '../../../tenancy/directory.ts';
import { whileThere } from '../../../tenancy/resolve.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { grantsOf } from '../../tokens/grants/index.ts';
import { ADMIN } from '../../identity/roles/index.ts';
import type { KeyRing } from '../../tokens/signing-keys/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import { mintAccessToken } from '../../tokens/access-tokens/index.ts';
import { recordImpersonation } from './recorded.ts';

interface Dependencies {
  readonly system: SystemData;
  readonly directory: TenantDirectory;
  readonly keys: KeyRing;
  readonly bits: TokenBits;
  readonly clock: Clock;
}

/**
 * Issues a system administrator a token that acts as an administrator of one tenant. It depends on the administrator's
 * own session, and ends with it. `act` identifies the administrator (RFC 8693 §4.1).
 */
export async function issueImpersonationToken(
  { system, directory, keys, bits, clock }: Dependencies,
  caller: UserCaller,
  { tenant_id: tenantId, reason }: BodyOf<typeof impersonate>,
  fail: Fail<'NOT_FOUND' | 'TENANT_INACTIVE'>,
): Promise<OkOf<typeof impersonate>> {
  const tenant = (await directory.findById(tenantId)) ?? fail('NOT_FOUND');
  if (!tenant.isActive) fail('TENANT_INACTIVE');
  const judge = (present: Tenant | undefined) => present ?? fail('NOT_FOUND');
  const recorded = () => recordImpersonation(system, caller, { into: tenant.id, reason }, fail);
  const accessVersion = await whileThere(directory, tenant.id, recorded, judge);
  const now = clock.now();
  const longestSeconds = Math.min(LONGEST_IMPERSONATION_SECONDS, tenant.config.session_timeout);
  const { sub, grant, grantEndsAt } = grantOf(caller, accessVersion);
  const expiresAt = new Date(Math.min(+grantEndsAt, now.getTime() + longestSeconds * 1000));
  const prepare = () =>
    Promise.all([
      keys.signer(tenant.id),
      bits.of(tenant.id, grantsOf({ sub, tenant_id: tenant.id, ...grant }), expiresAt),
    ]);
  const [key, bit] = await whileThere(directory, tenant.id, prepare, judge);
  const { token, expiresIn } = mintAccessToken(
    key,
    tenant,
    {
      sub,
      workspaceId: DEFAULT_WORKSPACE,
      roles: [ADMIN],
      scopes: ['*:*'],
      grant,
      grantEndsAt,
      ...authenticationOf(caller.claims),
      bit,
    },
    now,
    longestSeconds,
  );
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresIn,
    tenant_id: tenant.id,
  };
}

/** The administrator's own session, and the access version of the tenant: `act.ver`. */
function grantOf({ subject, sessionId, claims }: UserCaller, accessVersion: number) {
  const act = { sub: subject, tenant_id: DEFAULT_TENANT, ver: accessVersion };
  return {
    sub: subject,
    grant: { sid: sessionId, client_id: claims.client_id, ver: claims.ver, act },
    grantEndsAt: new Date(claims.exp * 1000),
  };
}

/** How the administrator authenticated in their own tenant. */
function authenticationOf({ auth_time, acr, amr }: UserCaller['claims']) {
  if (auth_time === undefined || acr === undefined || amr === undefined) return {};
  return { authentication: { auth_time, acr, amr } };
}
