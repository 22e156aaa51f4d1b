import type { TenantBranding } from '@keywright/contract/records/tenant';
import { getStylesheet } from '@keywright/contract/routes/assets';
import { type Html, style } from '../../../platform/http/pages/html.ts';
import { LOOK_FILE, SIDE_RULES } from '../../../platform/http/pages/look.ts';
import { declarePalette } from '../../../platform/http/pages/palette.ts';
import type { LogoRow } from './store.ts';

/** How the pages of a tenant look. */
export interface Brand {
  readonly name: string;
  /** Paths from the address of the issuer. */
  readonly logo: { readonly light: string; readonly dark: string } | undefined;
  /** Address of the rules of every page. */
  readonly stylesheet: string;
  /** The rules that differ from them. */
  readonly style: Html | undefined;
  readonly layout: 'centre' | 'side';
  readonly terms: string | undefined;
  readonly privacy: string | undefined;
  readonly support: string | undefined;
}

/** @param base path of the issuer, without a slash at its end */
export function brandOf(
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

/** Where the logos are. @param base what their paths begin with, without a slash at its end */
export function logoAt(
  base: string,
  { color_scheme: scheme }: TenantBranding,
  stored: readonly StoredLogo[],
): Brand['logo'] {
  const addressOf = (kind: string) => {
    const digest = stored.find((one) => one.kind === kind)?.digest;
    return digest ? `${base}/brand/${digest.toString('hex')}` : undefined;
  };
  return logoOf(scheme, addressOf('logo'), addressOf('logo_dark'));
}

/** One for each scheme that the pages have. */
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

/** Validated values only: they are not escaped. */
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
