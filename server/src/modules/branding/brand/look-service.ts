import type { TenantId } from '@keywright/contract/ids';
import type { TextLocale } from '@keywright/contract/locale';
import type { LogoKind } from '@keywright/contract/records/logo';
import type {
  ClientBrandingPatch,
  ClientBrandingSettings,
  TenantBranding,
  TenantBrandingPatch,
} from '@keywright/contract/records/branding';
import { getStylesheet } from '@keywright/contract/routes/assets';
import { type Html, style } from '../../../platform/http/pages/html.ts';
import {
  backdropReport,
  backdropRules,
  backgroundOf,
  isSplit,
} from '../../../platform/http/pages/backdrop.ts';
import { familyOf, fontRulesOf } from '../../../platform/http/pages/fonts.ts';
import { LIST_FILE, LOOK_FILE, MARKS_FILE, SPLIT_FILE } from '../../../platform/http/pages/look.ts';
import {
  contrastReport,
  declarePalette,
  type PartContrast,
} from '../../../platform/http/pages/palette.ts';
import type { Texts } from '../../../platform/texts/texts.ts';
import { loadTexts } from '../../../platform/texts/load.ts';
import { chooseLocale, type Wishes } from '../../../platform/texts/locales.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/directory.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import {
  type ClientLook,
  findLooking,
  findLogos,
  type LogoRow,
  type TextOverride,
} from './brand-store.ts';

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
  /** Undefined if no client has its own branding. */
  readonly clients: Readonly<Record<string, ClientLook>> | undefined;
  /** By the ID of the client; the tenant's is the empty one. */
  readonly brands: Map<string, Brand>;
  texts?: Map<string, Texts>;
}

/** An unsaved look: its differences from the saved one. */
interface DraftLook {
  readonly locale: TextLocale;
  readonly colorScheme?: 'light' | 'dark' | undefined;
  readonly branding?: TenantBrandingPatch | undefined;
  /** A client, and the differences of its own branding from the saved one. */
  readonly clientId?: string | undefined;
  readonly clientBranding?: ClientBrandingPatch | undefined;
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
          const { branding, texts, clients } = await findLooking(tx);
          const logos = await findLogos(tx);
          return {
            id,
            branding,
            logos,
            overrides: texts ?? undefined,
            clients: clients ?? undefined,
            brands: new Map<string, Brand>(),
          };
        }),
      tenantOf: ({ id }) => id,
    });
  }

  /** @param clientId the application that the user logs in to, whose own branding replaces the tenant's */
  async find(tenant: Tenant, wishes: Wishes, here?: Here, clientId?: string): Promise<Look> {
    const { id } = tenant;
    const stored = (await this.#cache.find(id)) ?? {
      id,
      branding: {},
      logos: [],
      overrides: undefined,
      clients: undefined,
      brands: new Map<string, Brand>(),
    };
    const brand = brandFor(tenant, stored, clientId);
    const texts = withOverrides(stored, await loadTexts(chooseLocale(wishes)));
    return { brand, texts, ...(here && { here }) };
  }

  /** Returns the look of a draft, and the contrast of its colors. Nothing is cached or stored. */
  async findDraft(
    { id, name, issuer }: Tenant,
    { locale, colorScheme, branding = {}, clientId, clientBranding = {}, text }: DraftLook,
  ): Promise<{ readonly look: Look; readonly contrast: readonly PartContrast[] }> {
    const [stored, logos] = await this.#gate
      .into(id)
      .transaction(async (tx) => [await findLooking(tx), await findLogos(tx)] as const);
    const scheme = colorScheme && { color_scheme: colorScheme };
    const ofTenant = patched(stored.branding, branding);
    const saved = ownLookOf(stored.clients, clientId);
    const settings = { ...patched(saved?.settings ?? {}, clientBranding), ...scheme };
    const images = { ...digestsOf(logos.filter(isOf(ofTenant))), ...saved?.images };
    const drafted = { ...ofTenant, ...settings };
    const brand = brandOf(name, basePathOf(issuer), drafted, images);
    const overrides = (stored.texts ?? []).filter((entry) => entry.locale === locale);
    const words = new Map(
      [...overrides, ...(text ? [text] : [])].map((entry) => [entry.key, entry.text]),
    );
    return {
      look: { brand, texts: (await loadTexts(locale)).with(words) },
      contrast: contrastIn(drafted, images),
    };
  }
}

function contrastIn(branding: TenantBranding, images: Images): readonly PartContrast[] {
  const { primary_color: primary, secondary_color: secondary } = branding;
  const colors = primary === undefined ? undefined : { primary, secondary };
  const image = addressesIn('', images)('background');
  return [...contrastReport(colors), ...backdropReport({ ...branding, image })];
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

function patched<Settings extends object>(stored: Settings, patch: object): Settings {
  const fields = Object.entries({ ...stored, ...patch }).filter(([, value]) => value !== null);
  return Object.fromEntries(fields) as Settings;
}

function ownLookOf(
  clients: Readonly<Record<string, ClientLook>> | null | undefined,
  clientId = '',
): ClientLook | undefined {
  return clients && Object.hasOwn(clients, clientId) ? clients[clientId] : undefined;
}

/** The brand of a client, cached with the tenant's look. */
function brandFor(
  { name, issuer }: Tenant,
  { branding, logos, clients, brands }: Stored,
  clientId = '',
): Brand {
  const ownLook = ownLookOf(clients, clientId);
  const key = ownLook ? clientId : '';
  let brand = brands.get(key);
  if (!brand) {
    const images = { ...digestsOf(logos), ...ownLook?.images };
    brand = brandOf(name, basePathOf(issuer), { ...branding, ...ownLook?.settings }, images);
    brands.set(key, brand);
  }
  return brand;
}

/** The digests of stored images in hexadecimal, by their kind. */
type Images = Partial<Record<LogoKind, string>>;

function digestsOf(logos: readonly StoredLogo[]): Images {
  const stored = logos.flatMap(({ kind, digest }) =>
    digest ? [[kind, digest.toString('hex')]] : [],
  );
  return Object.fromEntries(stored);
}

/** Matches images with the address in the branding: an address that was just entered has not been fetched. */
function isOf(branding: TenantBranding) {
  return ({ kind, url }: LogoRow) => url === (branding[`${kind}_url`] ?? null);
}

/** How the pages of a tenant look. */
export interface Brand {
  readonly name: string;
  /** Paths on the issuer's host. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  /** The path of the square icon. */
  readonly icon: string | undefined;
  /** The path of the style sheet that all pages share. */
  readonly stylesheet: string;
  /** The path of the style sheet with details, codes and hosts. */
  readonly lists: string;
  /** The path of the style sheet with the marks of providers. */
  readonly marks: string;
  /** The tenant's rules that differ from the style sheet. */
  readonly style: Html | undefined;
  /** The classes of the page's layout. */
  readonly classes: string;
  /** Whether a headline stands next to the form. */
  readonly isSplit: boolean;
  /** The path of the style sheet of that area. */
  readonly split: string;
  /** The application's own words; undefined: those of the catalog. */
  readonly headline: string | undefined;
  readonly subline: string | undefined;
  readonly logoPosition: NonNullable<TenantBranding['logo_position']>;
  readonly logoHeight: number;
  readonly providers: {
    readonly position: NonNullable<TenantBranding['provider_position']>;
    readonly style: NonNullable<TenantBranding['provider_style']>;
  };
  /** Whether the page asks for the address before a password. */
  readonly identifierFirst: boolean;
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
  readonly support: string | undefined;
}

/** @param base path of the issuer, without a trailing slash */
function brandOf(
  tenantName: string,
  base: string,
  branding: TenantBranding & Pick<ClientBrandingSettings, 'headline' | 'subline'>,
  images: Images,
): Brand {
  const addressOf = addressesIn(base, images);
  const backdrop = { ...branding, image: addressOf('background') };
  const { font = DEFAULT_FONT } = branding;
  const fontRules = font === DEFAULT_FONT ? '' : fontRulesOf(font, `${base}/assets/`);
  const rules = rulesOf(branding) + fontRules + backdropRules(backdrop);
  return {
    name: branding.company_name ?? tenantName,
    logo: logoOf(branding.color_scheme, addressOf('logo'), addressOf('logo_dark')),
    icon: addressOf('icon'),
    stylesheet: `${base}${getStylesheet.path}?v=${LOOK_FILE.digest}`,
    lists: `${base}${getStylesheet.path}?v=${LIST_FILE.digest}`,
    marks: `${base}${getStylesheet.path}?v=${MARKS_FILE.digest}`,
    style: rules === '' ? undefined : style(rules),
    classes: classesOf(branding, backgroundOf(backdrop)),
    isSplit: isSplit(branding.layout),
    split: `${base}${getStylesheet.path}?v=${SPLIT_FILE.digest}`,
    headline: branding.headline,
    subline: branding.subline,
    logoPosition: branding.logo_position ?? 'inside',
    logoHeight: branding.logo_height ?? LOGO_HEIGHT,
    providers: {
      position: branding.provider_position ?? 'top',
      style: branding.provider_style ?? 'list',
    },
    identifierFirst: branding.identifier_first ?? false,
    terms: branding.terms_url,
    privacy: branding.privacy_url,
    support: branding.support_email,
  };
}

const LOGO_HEIGHT = 40;
/** Its rules are in the style sheet that all pages share. */
const DEFAULT_FONT = 'geist';

function classesOf(
  { layout = 'card', heading_align: align, logo_position: position }: TenantBranding,
  background: ReturnType<typeof backgroundOf>,
): string {
  const classes = [
    'page',
    ...(isSplit(layout) ? ['split'] : []),
    layout,
    ...(isSplit(layout) && background === 'gradient' ? ['rings'] : []),
    ...(align === 'center' ? [align] : []),
    ...(position === 'corner' ? [position] : []),
  ];
  return classes.join(' ');
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
  const addressOf = addressesIn(base, digestsOf(stored));
  return logoOf(scheme, addressOf('logo'), addressOf('logo_dark'));
}

function addressesIn(base: string, images: Images) {
  return (kind: LogoKind) =>
    images[kind] === undefined ? undefined : `${base}/brand/${images[kind]}`;
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
  font,
  logo_height: logoHeight,
}: TenantBranding): string {
  const rules = [
    ...(scheme === 'auto' ? [] : [`color-scheme:${scheme}`]),
    ...(primary === undefined ? [] : [declarePalette({ primary, secondary })]),
    ...(corner === undefined ? [] : [`--corner:${corner}px`]),
    ...(font === undefined ? [] : [`--font:${familyOf(font)}`]),
    ...(logoHeight === undefined ? [] : [`--logo:${logoHeight}px`]),
  ];
  return rules.length === 0 ? '' : `:root{${rules.join(';')}}`;
}
