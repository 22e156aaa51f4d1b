import type { TenantId } from '@keywright/contract/ids';
import type { TextLocale } from '@keywright/contract/locale';
import type { TenantBranding, TenantBrandingPatch } from '@keywright/contract/records/tenant';
import { getStylesheet } from '@keywright/contract/routes/assets';
import { type Html, style } from '../../../platform/http/pages/html.ts';
import { LOOK_FILE, SIDE_RULES, declarePalette } from '../../../platform/http/pages/look.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { findLooking, findLogos, type LogoRow, type TextOverride } from './brand-store.ts';

/** How a page looks. */
export interface Look {
  readonly brand: Brand;
  readonly texts: Texts;
  /** The address and fields of the form that changes the language; undefined if the page has none. */
  readonly here?: Here | undefined;
}

interface Here {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

interface Stored {
  readonly id: TenantId;
  readonly branding: TenantBranding;
  readonly logos: readonly LogoRow[];
  /** Undefined if all texts are the usual ones. */
  readonly overrides: readonly TextOverride[] | undefined;
  brand?: Brand;
  texts?: Map<string, Texts>;
}

/** An unsaved look: its differences from the saved one. */
interface DraftLook {
  readonly locale: TextLocale;
  readonly colorScheme?: 'light' | 'dark' | undefined;
  readonly branding?: TenantBrandingPatch | undefined;
  readonly text?: { readonly key: string; readonly text: string } | undefined;
}

/** The looks of tenants, each read when the first page of the tenant is shown. */
export class LookService {
  readonly #gate: Gate;
  readonly #cache: TenantCache<TenantId, Stored>;

  constructor(gate: Gate, changes: Changes) {
    this.#gate = gate;
    this.#cache = new TenantCache(changes, {
      load: (id: TenantId): Promise<Stored> =>
        gate.into(id).transaction(async (tx) => {
          const { branding, texts } = await findLooking(tx);
          return { id, branding, logos: await findLogos(tx), overrides: texts ?? undefined };
        }),
      tenantOf: ({ id }) => id,
    });
  }

  async find({ id, name, issuer }: Tenant, wishes: Wishes, here?: Here): Promise<Look> {
    const stored = (await this.#cache.find(id)) ?? {
      id,
      branding: {},
      logos: [],
      overrides: undefined,
    };
    stored.brand ??= brandOf(name, basePathOf(issuer), stored.branding, stored.logos);
    const texts = withOverrides(stored, await loadTexts(chooseLocale(wishes)));
    return { brand: stored.brand, texts, ...(here && { here }) };
  }

  /** Returns the look of a draft, and its branding as it would be stored. Nothing is cached or stored. */
  async findDraft(
    { id, name, issuer }: Tenant,
    { locale, colorScheme, branding = {}, text }: DraftLook,
  ): Promise<{ readonly look: Look; readonly branding: TenantBranding }> {
    const [stored, logos] = await this.#gate
      .into(id)
      .transaction(async (tx) => [await findLooking(tx), await findLogos(tx)] as const);
    const scheme = colorScheme && { color_scheme: colorScheme };
    const drafted = { ...patched(stored.branding, branding), ...scheme };
    const brand = brandOf(name, basePathOf(issuer), drafted, logos.filter(isOf(drafted)));
    const overrides = (stored.texts ?? []).filter((entry) => entry.locale === locale);
    const words = new Map(
      [...overrides, ...(text ? [text] : [])].map((entry) => [entry.key, entry.text]),
    );
    return { look: { brand, texts: (await loadTexts(locale)).with(words) }, branding: drafted };
  }
}

/** The path of an issuer, without a trailing slash. */
function basePathOf(issuer: string): string {
  return new URL(issuer).pathname.replace(/\/$/, '');
}

/** The texts of a tenant in a language, cached with the tenant's look so that they are parsed once. */
function withOverrides(stored: Stored, usual: Texts): Texts {
  const { overrides } = stored;
  if (!overrides) return usual;
  const { locale } = usual;
  stored.texts ??= new Map();
  let texts = stored.texts.get(locale);
  if (!texts) {
    const worded = overrides.filter((entry) => entry.locale === locale);
    texts =
      worded.length === 0 ? usual : usual.with(new Map(worded.map(({ key, text }) => [key, text])));
    stored.texts.set(locale, texts);
  }
  return texts;
}

function patched(stored: TenantBranding, patch: TenantBrandingPatch): TenantBranding {
  const fields = Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields);
}

/** Matches logos with the address in the branding: an address that was just entered has not been fetched. */
function isOf({ logo_url: light, logo_dark_url: dark }: TenantBranding) {
  return ({ kind, url }: LogoRow) => url === ((kind === 'logo_dark' ? dark : light) ?? null);
}

/** How the pages of a tenant look. */
export interface Brand {
  readonly name: string;
  /** Paths on the issuer's host. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  /** The path of the style sheet that all pages share. */
  readonly stylesheet: string;
  /** The tenant's rules that differ from the style sheet. */
  readonly style: Html | undefined;
  readonly layout: 'centre' | 'side';
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
  readonly support: string | undefined;
}

/** @param base path of the issuer, without a trailing slash */
function brandOf(
  tenantName: string,
  base: string,
  branding: TenantBranding,
  logos: readonly LogoRow[],
): Brand {
  const stored = logos.filter(({ status }) => status === 'stored');
  const rules = rulesOf(branding) + (branding.login_layout === 'side' ? SIDE_RULES : '');
  return {
    name: branding.company_name ?? tenantName,
    logo: logoAt(base, branding, stored),
    stylesheet: `${base}${getStylesheet.path}?v=${LOOK_FILE.digest}`,
    style: rules === '' ? undefined : style(rules),
    layout: branding.login_layout ?? 'centre',
    terms: branding.terms_url,
    privacy: branding.privacy_url,
    support: branding.support_email,
  };
}

interface StoredLogo {
  readonly kind: string;
  readonly digest: Buffer | null;
}

/** The URLs of the logos. @param base prefix of their paths, without a trailing slash */
export function logoAt(
  base: string,
  { color_scheme: scheme }: TenantBranding,
  stored: readonly StoredLogo[],
): Brand['logo'] {
  const addressOf = (kind: string) => {
    const digest = stored.find((logo) => logo.kind === kind)?.digest;
    return digest ? `${base}/brand/${digest.toString('hex')}` : undefined;
  };
  return logoOf(scheme, addressOf('logo'), addressOf('logo_dark'));
}

/** A logo for each color scheme of the pages. */
function logoOf(
  scheme: TenantBranding['color_scheme'],
  light: string | undefined,
  dark: string | undefined,
): Brand['logo'] {
  const only = { auto: undefined, light: light ?? dark, dark: dark ?? light }[scheme ?? 'auto'];
  const inLight = only ?? light ?? dark;
  const inDark = only ?? dark ?? light;
  return inLight === undefined || inDark === undefined
    ? undefined
    : { light: inLight, dark: inDark };
}

/** The values must be validated, because they are not escaped. */
function rulesOf({
  primary_color: primary,
  secondary_color: secondary,
  color_scheme: scheme = 'auto',
  corner,
}: TenantBranding): string {
  const rules = [
    ...(scheme === 'auto' ? [] : [`color-scheme:${scheme}`]),
    ...(primary === undefined ? [] : [declarePalette({ primary, secondary })]),
    ...(corner === undefined ? [] : [`--corner:${corner}px`]),
  ];
  return rules.length === 0 ? '' : `:root{${rules.join(';')}}`;
}
