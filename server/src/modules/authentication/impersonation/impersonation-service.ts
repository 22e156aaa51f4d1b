import type { SystemWork } from '@keywright/contract/audit';
import { type AccessTokenClaims, DIRECT_CLIENT } from '@keywright/contract/claims';
import type { Fail } from '@keywright/contract/errors';
import {
  DEFAULT_TENANT,
  DEFAULT_WORKSPACE,
  parseTenantId,
  type SessionId,
  type TenantId,
  type UserId,
} from '@keywright/contract/ids';
import type { BodyOf, OkOf } from '@keywright/contract/route';
import type { impersonate } from '@keywright/contract/routes/auth';
import {
  type startImpersonation,
  LONGEST_IMPERSONATION_SECONDS,
  type listImpersonations,
} from '@keywright/contract/routes/impersonations';
import { epochSeconds } from '../../../platform/clock.ts';
import type { Caller, Origin, UserCaller } from '../../../tenancy/caller.ts';
import type { Core } from '../../../tenancy/module.ts';
import { whileThere } from '../../../tenancy/resolve.ts';
import { findAccessVersion } from '../../../tenancy/store.ts';
import { type SystemTx, asTenant } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { actingIn, record } from '../../events/journal/index.ts';
import { ADMIN } from '../../identity/roles/index.ts';
import { mintAccessToken } from '../../tokens/access-tokens/index.ts';
import { grantsOf } from '../../tokens/grants/index.ts';
import type { KeyRing } from '../../tokens/signing-keys/index.ts';
import type { TokenBits } from '../../tokens/status-lists/index.ts';
import type { BearerService } from '../bearer/index.ts';
import {
  deleteImpersonation,
  findImpersonation,
  findImpersonations,
  type ImpersonationRow,
  upsertImpersonation,
} from './impersonation-store.ts';

type ImpersonationRecord = OkOf<typeof startImpersonation>;

/** A session of a system administrator, in their own tenant. */
interface Administrator {
  readonly userId: UserId;
  readonly sessionId: SessionId;
  readonly authentication: Pick<AccessTokenClaims, 'auth_time' | 'acr' | 'amr'>;
}

/** Lets system administrators act as an administrator of one tenant. */
export class ImpersonationService {
  readonly #core: Core;
  readonly #keys: KeyRing;
  readonly #bits: TokenBits;
  readonly #bearer: BearerService;

  constructor(core: Core, keys: KeyRing, bits: TokenBits, bearer: BearerService) {
    this.#core = core;
    this.#keys = keys;
    this.#bits = bits;
    this.#bearer = bearer;
  }

  /**
   * Issues a system administrator a token for acting as an administrator of one tenant. The token depends on the
   * administrator's own session and ends with it. `act` identifies the administrator (RFC 8693 §4.1).
   */
  async issueToken(
    caller: UserCaller,
    { tenant_id: tenantId, reason }: BodyOf<typeof impersonate>,
    fail: Fail<'NOT_FOUND' | 'TENANT_INACTIVE'>,
  ): Promise<OkOf<typeof impersonate>> {
    const tenant = await this.#requireActiveTenant(tenantId, fail);
    const accessVersion = await this.#whileThere(
      tenant.id,
      () => this.#record(caller, { into: tenant.id, reason }, fail),
      fail,
    );
    const now = this.#core.clock.now();
    const longestSeconds = longestSecondsIn(tenant);
    const { sub, grant, grantEndsAt } = grantOf(caller, accessVersion);
    const expiresAt = new Date(Math.min(+grantEndsAt, now.getTime() + longestSeconds * 1000));
    const grants = grantsOf({ sub, tenant_id: tenant.id, ...grant });
    const prepare = () =>
      Promise.all([this.#keys.signer(tenant.id), this.#bits.of(tenant.id, grants, expiresAt)]);
    const [key, bit] = await this.#whileThere(tenant.id, prepare, fail);
    const subject = {
      sub,
      workspaceId: DEFAULT_WORKSPACE,
      roles: [ADMIN],
      scopes: ['*:*'],
      grant,
      grantEndsAt,
      ...authenticationOf(caller.claims),
      bit,
    };
    const { token, expiresIn } = mintAccessToken(key, tenant, subject, now, longestSeconds);
    return {
      access_token: token,
      token_type: 'Bearer',
      expires_in: expiresIn,
      tenant_id: tenant.id,
    };
  }

  /** Lets the console of the caller's session act in a tenant, without a token: its access depends on the session. */
  async start(
    caller: UserCaller,
    { tenantId, reason }: { readonly tenantId: string; readonly reason: string },
    fail: Fail<'NOT_FOUND' | 'TENANT_INACTIVE' | 'DEFAULT_TENANT_PROTECTED'>,
  ): Promise<ImpersonationRecord> {
    const into = parseTenantId(tenantId) ?? fail('NOT_FOUND');
    if (into === DEFAULT_TENANT) fail('DEFAULT_TENANT_PROTECTED');
    const tenant = await this.#requireActiveTenant(into, fail);
    const { sessionId, claims } = caller;
    let started: ImpersonationRecord | undefined;
    const write = async (tx: SystemTx, tenantVersion: number) => {
      const now = tx.now;
      const longestMs = longestSecondsIn(tenant) * 1000;
      const expiresAt = new Date(Math.min(claims.exp * 1000, now.getTime() + longestMs));
      const versions = { sessionVersion: claims.ver ?? 0, tenantVersion };
      const impersonation = { sessionId, into, reason, ...versions, now, expiresAt };
      await asTenant(tx, DEFAULT_TENANT, (homeTx) => upsertImpersonation(homeTx, impersonation));
      started = present({ into_tenant: into, reason, started_at: now, expires_at: expiresAt });
    };
    await this.#whileThere(into, () => this.#record(caller, { into, reason }, fail, write), fail);
    return started ?? fail('NOT_FOUND');
  }

  async list({ sessionId }: UserCaller): Promise<OkOf<typeof listImpersonations>> {
    const rows = await this.#core.gate
      .into(DEFAULT_TENANT)
      .transaction((tx) => findImpersonations(tx, sessionId));
    return { items: rows.map(present) };
  }

  /** @returns the tenant that the console of the session no longer acts in */
  async end(caller: UserCaller, tenantId: string, fail: Fail<'NOT_FOUND'>): Promise<TenantId> {
    const into = parseTenantId(tenantId) ?? fail('NOT_FOUND');
    await this.#core.system.run(caller, `end impersonation in ${into}`, async (tx) => {
      const isDeleted = await asTenant(tx, DEFAULT_TENANT, (homeTx) =>
        deleteImpersonation(homeTx, caller.sessionId, into),
      );
      if (!isDeleted) fail('NOT_FOUND');
      await recordEnd(tx, caller, into);
    });
    return into;
  }

  /**
   * Returns the caller that the console of a session acts as in a tenant, the same as for a token of POST
   * /auth/impersonate, with the same dependencies. Undefined if no impersonation started there, or if it ended.
   */
  async findCaller(
    tenant: Tenant,
    administrator: Administrator,
    from: Origin,
  ): Promise<Caller | undefined> {
    const { sessionId, userId } = administrator;
    const row = await this.#core.gate
      .into(DEFAULT_TENANT)
      .transaction((tx) => findImpersonation(tx, sessionId, tenant.id));
    if (!row) return undefined;
    const claims = claimsOf(tenant, administrator, row);
    if (!(await this.#bearer.isUsable(claims))) return undefined;
    const { scopes, roles } = claims;
    const credential = { scopes, roles, from, claims, isSystemAdministrator: false };
    return { ...credential, kind: 'impersonator', subject: userId, sessionId };
  }

  async #requireActiveTenant(
    id: TenantId,
    fail: Fail<'NOT_FOUND' | 'TENANT_INACTIVE'>,
  ): Promise<Tenant> {
    const tenant = (await this.#core.directory.findById(id)) ?? fail('NOT_FOUND');
    return tenant.isActive ? tenant : fail('TENANT_INACTIVE');
  }

  #whileThere<Result>(
    tenantId: TenantId,
    work: () => Promise<Result>,
    fail: Fail<'NOT_FOUND'>,
  ): Promise<Result> {
    const judge = (tenant: Tenant | undefined) => tenant ?? fail('NOT_FOUND');
    return whileThere(this.#core.directory, tenantId, work, judge);
  }

  /**
   * Records the impersonation in the log of the tenant, and as work across tenants in the log of the default tenant.
   * @param work runs in the same transaction, with the tenant's access version
   * @returns the tenant's access version
   */
  #record(
    caller: UserCaller,
    { into, reason }: { readonly into: TenantId; readonly reason: string },
    fail: Fail<'NOT_FOUND'>,
    work: (tx: SystemTx, accessVersion: number) => Promise<void> = async () => undefined,
  ): Promise<number> {
    const impersonating = async (tx: SystemTx) => {
      const accessVersion = (await findAccessVersion(tx, into)) ?? fail('NOT_FOUND');
      const change = {
        action: 'auth.impersonated',
        target: { kind: 'tenant', id: into },
        details: { reason },
      } as const;
      await asTenant(tx, into, (targetTx) => record(targetTx, actingIn(into, caller), change));
      await work(tx, accessVersion);
      return accessVersion;
    };
    const purpose: SystemWork = `impersonate in ${into}: ${reason}`;
    return this.#core.system.run(caller, purpose, impersonating, into);
  }
}

function recordEnd(tx: SystemTx, caller: UserCaller, into: TenantId): Promise<unknown> {
  const change = {
    action: 'auth.impersonation_ended',
    target: { kind: 'tenant', id: into },
  } as const;
  return asTenant(tx, into, (targetTx) => record(targetTx, actingIn(into, caller), change));
}

function longestSecondsIn({ config }: Tenant): number {
  return Math.min(LONGEST_IMPERSONATION_SECONDS, config.session_timeout);
}

/** The administrator's own session, and the tenant's access version as `act.ver`. */
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

function claimsOf(
  tenant: Tenant,
  { userId, sessionId, authentication }: Administrator,
  row: ImpersonationRow,
): Omit<AccessTokenClaims, 'jti'> {
  return {
    token_type: 'access',
    iss: tenant.issuer,
    sub: userId,
    aud: tenant.audience,
    iat: epochSeconds(row.started_at),
    exp: epochSeconds(row.expires_at),
    tenant_id: tenant.id,
    workspace_id: DEFAULT_WORKSPACE,
    roles: [ADMIN],
    scopes: ['*:*'],
    scope: '*:*',
    sid: sessionId,
    client_id: DIRECT_CLIENT,
    ver: row.session_version,
    act: { sub: userId, tenant_id: DEFAULT_TENANT, ver: row.tenant_version },
    ...authentication,
  };
}

function present(
  row: Pick<ImpersonationRow, 'into_tenant' | 'reason' | 'started_at' | 'expires_at'>,
): ImpersonationRecord {
  return {
    id: row.into_tenant,
    tenant_id: row.into_tenant,
    reason: row.reason,
    created_at: row.started_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
