import Type, { type Static } from 'typebox';
import { EXPECTS } from '../expectation.ts';
import { OAuthClientIdSchema, TenantIdSchema } from '../ids.ts';
import { LINE_OF_TEXT, settingsPatch } from '../shape.ts';

const httpsUrl = (description: string, example: string) =>
  Type.String({
    pattern: '^https://[^\\s/?#\\p{Cc}\\p{Cs}]+[^\\s\\p{Cc}\\p{Cs}]*$',
    maxLength: 2048,
    [EXPECTS]: `an https URL, such as ${example}`,
    description,
    examples: [example],
  });
const color = (example: string, description = 'A color: `#rrggbb`.') =>
  Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    [EXPECTS]: 'a color of the form #rrggbb',
    description,
    examples: [example],
  });
export const mailbox = (description: string, example: string) =>
  Type.String({
    pattern: '^[^\\s@<>\\p{Cc}\\p{Cs}]+@[^\\s@<>\\p{Cc}\\p{Cs}]+$',
    [EXPECTS]: 'an email address',
    maxLength: 254,
    description,
    examples: [example],
  });
export const line = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    ...LINE_OF_TEXT,
    description,
    examples: [example],
  });

/** The fonts of the pages. The service serves all of them except `system`, which the device provides. */
export const PAGE_FONTS = [
  'geist',
  'inter',
  'instrument-sans',
  'dm-sans',
  'figtree',
  'manrope',
  'source-serif',
  'lora',
  'system',
] as const;
export type PageFont = (typeof PAGE_FONTS)[number];

/** The look of the pages, which each application can replace field by field. */
const LOOK = {
  primary_color: color('#1d4ed8'),
  secondary_color: color('#f59e0b'),
  color_scheme: Type.Enum(['auto', 'light', 'dark'], {
    description: 'Color scheme of the pages. `auto` (default) follows the browser’s preference.',
  }),
  corner: Type.Integer({
    minimum: 0,
    maximum: 16,
    description: 'Corner radius of buttons and fields, in pixels. Default: 10.',
    examples: [10],
  }),
  font: Type.Enum([...PAGE_FONTS], {
    description: 'Font of the pages. `system`: the font of the device. Default: `geist`.',
  }),
  layout: Type.Enum(['card', 'plain', 'split-start', 'split-end'], {
    description:
      'Layout of the sign-in pages. `card` (default): a card in the middle. `plain`: without a card. `split-start` and `split-end`: on wide screens, the form is in the half where lines start or end, and the background is in the other half.',
  }),
  background: Type.Enum(['none', 'color', 'gradient', 'image'], {
    description:
      'Background of the sign-in pages. `gradient`: shades of `primary_color`. `image`: the image `background`, or the gradient if there is none. Default: `gradient` in the split layouts, otherwise `none`.',
  }),
  background_color: color(
    '#0b6e4f',
    'Background color with `background: color`: `#rrggbb`. Default: `primary_color`.',
  ),
  logo_position: Type.Enum(['inside', 'above', 'corner'], {
    description:
      'Position of the logo: `inside` (default) the card, `above` it, or in the `corner` of the page.',
  }),
  logo_height: Type.Integer({
    minimum: 24,
    maximum: 64,
    description: 'Height of the logo, in pixels. Default: 40.',
    examples: [40],
  }),
  heading_align: Type.Enum(['start', 'center'], {
    description: 'Alignment of the logo and the heading. Default: `start`.',
  }),
  provider_position: Type.Enum(['top', 'bottom'], {
    description:
      'Position of the buttons of identity providers, relative to the form. Default: `top`.',
  }),
  provider_style: Type.Enum(['list', 'icons'], {
    description:
      'Buttons of identity providers. `list` (default): each with its name. `icons`: in a row, with the icons of providers that have one.',
  }),
  identifier_first: Type.Boolean({
    description:
      'Whether the page asks for the email or phone number first and for the password on the next page. Always applies if a provider captures a domain. Default: false.',
    examples: [false],
  }),
};

/** The appearance of the tenant’s pages and emails (SPEC resources tenant). */
const BRANDING = {
  logo_url: httpsUrl(
    'URL of a logo: PNG, JPEG, WebP, AVIF or SVG, at most 256 KiB. The service fetches it once and serves it from its own host.',
    'https://acme.example.com/logo.svg',
  ),
  logo_dark_url: httpsUrl(
    'URL of a logo for dark backgrounds. Default: the same logo.',
    'https://acme.example.com/logo-dark.svg',
  ),
  icon_url: httpsUrl(
    'URL of a square icon for browser tabs. Pages without a logo also show it next to the name.',
    'https://acme.example.com/icon.svg',
  ),
  background_url: httpsUrl(
    'URL of an image for `background: image`, at most 512 KiB.',
    'https://acme.example.com/hall.jpg',
  ),
  company_name: line('Name shown to users.', 'Acme Ltd'),
  support_email: mailbox('Email address where users can get help.', 'help@acme.example.com'),
  terms_url: httpsUrl(
    'URL of the terms of service, linked on pages.',
    'https://acme.example.com/terms',
  ),
  privacy_url: httpsUrl(
    'URL of the privacy policy, linked on pages.',
    'https://acme.example.com/privacy',
  ),
  ...LOOK,
};
export const TenantBranding = Type.Partial(Type.Object(BRANDING), {
  $id: 'TenantBranding',
  description: 'Appearance of the tenant’s pages and emails. Unset fields are absent.',
  additionalProperties: false,
});
export type TenantBranding = Static<typeof TenantBranding>;

export const TenantBrandingPatch = settingsPatch(BRANDING, {
  $id: 'TenantBrandingPatch',
  description: 'Settings to change. `null` removes a setting.',
});
export type TenantBrandingPatch = Static<typeof TenantBrandingPatch>;

/** The settings that an application replaces. */
const OF_CLIENT = {
  ...LOOK,
  headline: line('Text next to the form in the split layouts.', 'Every robot, one sign-in.'),
  subline: line('Text below the headline.', 'Acme Robotics, Berlin'),
};

export const ClientBrandingSettings = Type.Partial(Type.Object(OF_CLIENT), {
  $id: 'ClientBrandingSettings',
  description: 'Settings that replace those of the tenant. Unset fields are absent.',
  additionalProperties: false,
});
export type ClientBrandingSettings = Static<typeof ClientBrandingSettings>;

export const ClientBrandingPatch = settingsPatch(OF_CLIENT, {
  $id: 'ClientBrandingPatch',
  description: 'Settings to change. `null` removes a setting, so that the tenant’s applies.',
});
export type ClientBrandingPatch = Static<typeof ClientBrandingPatch>;

const Digest = Type.String({
  description: 'SHA-256 of the image, in hexadecimal. Last part of the image’s URL.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});

export const ClientBranding = Type.Object(
  {
    tenant_id: TenantIdSchema,
    client_id: OAuthClientIdSchema,
    settings: ClientBrandingSettings,
    images: Type.Partial(
      Type.Object({ logo: Digest, logo_dark: Digest, icon: Digest, background: Digest }),
      { description: 'Images that replace those of the tenant, by kind.' },
    ),
  },
  { $id: 'ClientBranding', description: 'How the pages look when users sign in to a client.' },
);
export type ClientBranding = Static<typeof ClientBranding>;
