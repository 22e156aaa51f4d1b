import type { TextLocale } from '@keywright/contract/locale';
import type { TenantBranding, TenantBrandingPatch } from '@keywright/contract/records/tenant';
import { loadTexts } from '../../../platform/texts/load.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { brandOf } from './brand.ts';
import type { Look } from './look.ts';
import { findLogos, findLooking, type LogoRow } from './store.ts';

/** A look that is not saved: what differs from the one that is. */
interface DraftLook {
  readonly locale: TextLocale;
  readonly colorScheme?: 'light' | 'dark' | undefined;
  readonly branding?: TenantBrandingPatch | undefined;
  readonly text?: { readonly key: string; readonly text: string } | undefined;
}

interface Drawn {
  readonly look: Look;
  /** As it would be stored. */
  readonly branding: TenantBranding;
}

export type FindDraftLook = (tenant: Tenant, draft: DraftLook) => Promise<Drawn>;

/** Nothing of it is kept: a preview shows what is stored at that moment. */
export function createFindDraftLook(gate: Gate): FindDraftLook {
  return async ({ id, name, issuer }, { locale, colorScheme, branding = {}, text }) => {
    const [stored, logos] = await gate
      .into(id)
      .transaction(async (tx) => [await findLooking(tx), await findLogos(tx)] as const);
    const scheme = colorScheme && { color_scheme: colorScheme };
    const drawn = { ...changed(stored.branding, branding), ...scheme };
    const base = new URL(issuer).pathname.replace(/\/$/, '');
    const brand = brandOf(name, base, drawn, logos.filter(isOf(drawn)));
    const own = (stored.texts ?? []).filter((one) => one.locale === locale);
    const words = new Map([...own, ...(text ? [text] : [])].map((one) => [one.key, one.text]));
    return { look: { brand, texts: (await loadTexts(locale)).with(words) }, branding: drawn };
  };
}

function changed(stored: TenantBranding, patch: TenantBrandingPatch): TenantBranding {
  const kept = Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(kept);
}

/** An address that was just typed has not been fetched. */
function isOf({ logo_url: light, logo_dark_url: dark }: TenantBranding) {
  return ({ kind, url }: LogoRow) => url === ((kind === 'logo_dark' ? dark : light) ?? null);
}
