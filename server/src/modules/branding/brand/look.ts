import type { TenantId } from '@keywright/contract/ids';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { type Brand, brandOf } from './brand.ts';
import { findLooking, findLogos, type LogoRow, type OwnText } from './store.ts';
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
  /** Undefined: all texts are the usual ones. */
  readonly own: readonly OwnText[] | undefined;
  brand?: Brand;
  texts?: Map<string, Texts>;
}

export function createFindLook(gate: Gate, changes: Changes): FindLook {
  const cache = new TenantCache(changes, {
    load: (id: TenantId): Promise<Stored> =>
      gate.into(id).transaction(async (tx) => {
        const { branding, texts } = await findLooking(tx);
        return { id, branding, logos: await findLogos(tx), own: texts ?? undefined };
      }),
    tenantOf: ({ id }) => id,
  });
  return async ({ id, name, issuer }, wishes, here) => {
    const stored = (await cache.find(id)) ?? { id, branding: {}, logos: [], own: undefined };
    const base = new URL(issuer).pathname.replace(/\/$/, '');
    stored.brand ??= brandOf(name, base, stored.branding, stored.logos);
    const texts = inWordsOf(stored, await loadTexts(chooseLocale(wishes)));
    return { brand: stored.brand, texts, ...(here && { here }) };
  };
}

/** Kept with what else is known of the tenant, so that its texts are parsed once. */
function inWordsOf(stored: Stored, usual: Texts): Texts {
  const { own } = stored;
  if (!own) return usual;
  const { locale } = usual;
  stored.texts ??= new Map();
  let texts = stored.texts.get(locale);
  if (!texts) {
    const worded = own.filter((one) => one.locale === locale);
    texts =
      worded.length === 0 ? usual : usual.with(new Map(worded.map(({ key, text }) => [key, text])));
    stored.texts.set(locale, texts);
  }
  return texts;
}
