import { randomBytes } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { type IdentityProviderId, parseIdentityProviderId } from '@keywright/contract/ids';
import type { ProviderDomain } from '@keywright/contract/records/provider-domain';
import type { Egress } from '../../../platform/egress/egress.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { record } from '../../events/journal/index.ts';
import type { Notices } from '../../events/messages/index.ts';
import { requireAsMuchAsAnyone } from '../../identity/roles/index.ts';
import {
  deleteDomain,
  type DomainRow,
  findDomain,
  findDomainsOf,
  findProvider,
  insertDomain,
  lockLoginMethods,
  markVerified,
  updateActiveProviders,
} from './provider-store.ts';

export const MOST_DOMAINS = 50;
const CHALLENGE_BYTES = 16;

interface DomainRef {
  /** The ID of the provider. */
  readonly provider: string;
  readonly domain: string;
}

/** Manages domains whose users log in at one provider. A DNS record proves that the tenant controls a domain. */
export class ProviderDomainService {
  readonly #gate: Gate;
  readonly #egress: Egress;
  readonly #notices: Notices;

  constructor(gate: Gate, egress: Egress, notices: Notices) {
    this.#gate = gate;
    this.#egress = egress;
    this.#notices = notices;
  }

  async list(tenant: Tenant, id: string, fail: Fail<'NOT_FOUND'>): Promise<ProviderDomain[]> {
    const rows = await this.#gate
      .into(tenant.id)
      .transaction(async (tx) => findDomainsOf(tx, await requireProvider(tx, id, fail)));
    return rows.map(present);
  }

  /** Adds a domain, which has no effect until it is verified. */
  add(
    tenant: Tenant,
    caller: Caller,
    { provider: id, domain }: DomainRef,
    fail: Fail<'NOT_FOUND' | 'VALIDATION_FAILED' | 'DOMAIN_OF_OTHER_PROVIDER' | 'SCOPE_NOT_HELD'>,
  ): Promise<ProviderDomain> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockLoginMethods(tx);
      await requireAsMuchAsAnyone(tx, caller, fail);
      const provider = await requireProvider(tx, id, fail);
      const existing = await findDomain(tx, domain);
      if (existing) {
        return existing.provider_id === provider
          ? present(existing)
          : fail('DOMAIN_OF_OTHER_PROVIDER');
      }
      if ((await findDomainsOf(tx, provider)).length >= MOST_DOMAINS) {
        const message = `is one too many: a provider can have at most ${MOST_DOMAINS} domains`;
        fail('VALIDATION_FAILED', { errors: [{ path: '/domain', message }] });
      }
      const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url');
      const row = await insertDomain(tx, { provider, domain, challenge });
      if (!row) throw new Error(`The domain ${domain} was not written.`);
      await this.#report(tx, caller, 'added', row);
      return present(row);
    });
  }

  /** Looks up the record of a domain. The DNS query runs outside a transaction. */
  async verify(
    tenant: Tenant,
    caller: Caller,
    { provider: id, domain }: DomainRef,
    fail: Fail<'NOT_FOUND' | 'DOMAIN_NOT_PROVEN' | 'SCOPE_NOT_HELD'>,
  ): Promise<ProviderDomain> {
    const data = this.#gate.into(tenant.id);
    const found = await data.transaction(async (tx) => {
      await requireAsMuchAsAnyone(tx, caller, fail);
      const provider = await requireProvider(tx, id, fail);
      const row = isDomain(domain) ? await findDomain(tx, domain) : undefined;
      return row?.provider_id === provider ? row : fail('NOT_FOUND');
    });
    if (found.verified_at) return present(found);
    const { txt_name: name, txt_value: value } = present(found);
    const texts = await this.#egress
      .findTexts(name)
      .catch((error: unknown) => fail('DOMAIN_NOT_PROVEN', { internal: error }));
    if (!texts.includes(value)) fail('DOMAIN_NOT_PROVEN');
    return data.transaction(async (tx) => {
      await lockLoginMethods(tx);
      await requireAsMuchAsAnyone(tx, caller, fail);
      const row = await markVerified(tx, found);
      // Another request has verified or removed the domain in the meantime.
      if (!row) return present((await findDomain(tx, domain)) ?? fail('NOT_FOUND'));
      await updateActiveProviders(tx);
      await this.#report(tx, caller, 'verified', row);
      return present(row);
    });
  }

  remove(
    tenant: Tenant,
    caller: Caller,
    { provider: id, domain }: DomainRef,
    fail: Fail<'NOT_FOUND' | 'SCOPE_NOT_HELD'>,
  ): Promise<string> {
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await lockLoginMethods(tx);
      await requireAsMuchAsAnyone(tx, caller, fail);
      const provider = await requireProvider(tx, id, fail);
      if (!isDomain(domain) || !(await deleteDomain(tx, provider, domain))) fail('NOT_FOUND');
      await updateActiveProviders(tx);
      await this.#report(tx, caller, 'removed', { provider_id: provider, domain });
      return domain;
    });
  }

  async #report(
    tx: TenantTx,
    caller: Caller,
    action: 'added' | 'verified' | 'removed',
    { provider_id: id, domain }: Pick<DomainRow, 'provider_id' | 'domain'>,
  ): Promise<void> {
    const target = { kind: 'identity_provider', id } as const;
    const entry = { target, details: { domain }, events: [] } as const;
    await record(tx, caller, { action: `identity_provider.domain_${action}`, ...entry });
    const notice = { what: `provider_domain_${action}`, changed: domain } as const;
    await this.#notices.notifyAdministrators(tx, caller, notice);
  }
}

/** Checked because the domain in a path can be any text. */
function isDomain(text: string): boolean {
  return /^[a-z0-9.-]+$/.test(text);
}

async function requireProvider(
  tx: TenantTx,
  text: string,
  fail: Fail<'NOT_FOUND'>,
): Promise<IdentityProviderId> {
  const id = parseIdentityProviderId(text) ?? fail('NOT_FOUND');
  return (await findProvider(tx, id)) ? id : fail('NOT_FOUND');
}

function present(row: DomainRow): ProviderDomain {
  return {
    domain: row.domain,
    tenant_id: row.tenant_id,
    provider_id: row.provider_id,
    txt_name: `_keywright-challenge.${row.domain}`,
    txt_value: `keywright-domain=${row.challenge}`,
    is_verified: row.verified_at !== null,
    verified_at: row.verified_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
