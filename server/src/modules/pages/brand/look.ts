import type { TenantId } from '@keywright/contract/ids';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { type Brand, brandOf } from './brand.ts';
import { findLooking, findLogos, type LogoRow } from './store.ts';
import type { TenantBranding } from '@keywright/contract/records/tenant';

/** How a page looks. */
export interface Look {
  readonly brand: Brand;
  readonly texts: Texts;
  /** What its form for another language is sent to, and with; undefined: it has none. */
  readonly here?: Here | undefined;
}

interface Here {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** That of a tenant, read when the first of its pages is shown. */
export type FindLook = (tenant: Tenant, wishes: Wishes, here?: Here) => Promise<Look>;

interface Stored {
  readonly id: TenantId;
  readonly branding: TenantBranding;
  readonly logos: readonly LogoRow[];
  brand?: Brand;
}

export function createFindLook(gate: Gate, changes: Changes): FindLook {
  const cache = new TenantCache(changes, {
    load: (id: TenantId): Promise<Stored> =>
      gate.into(id).transaction(async (tx) => {
        return { id, branding: await findLooking(tx), logos: await findLogos(tx) };
      }),
    tenantOf: ({ id }) => id,
  });
  return async ({ id, name, issuer }, wishes, here) => {
    const stored = (await cache.find(id)) ?? { id, branding: {}, logos: [] };
    const base = new URL(issuer).pathname.replace(/\/$/, '');
    stored.brand ??= brandOf(name, base, stored.branding, stored.logos);
    const texts = await loadTexts(chooseLocale(wishes));
    return { brand: stored.brand, texts, ...(here && { here }) };
  };
}
