import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { LINE_OF_TEXT, settingsPatch } from '../shape.ts';
import { CreatedAt, nameOf } from './record-fields.ts';
import { secret } from './tokens.ts';
import { EXPECTS } from '../expectation.ts';
import { TenantConfig } from './tenant-config.ts';

export { SETTING_SCOPES, TenantConfigPatch } from './tenant-config-patch.ts';
export { TenantConfig, WORKING_LOGIN_METHODS } from './tenant-config.ts';

/** The maximum length of a secret, the same for all tenants, in characters after NFKC. */
export const SECRET_MAX_LENGTH = 256;

const httpsUrl = (description: string, example: string) =>
  Type.String({
    pattern: '^https://[^\\s/?#\\p{Cc}\\p{Cs}]+[^\\s\\p{Cc}\\p{Cs}]*$',
    maxLength: 2048,
    [EXPECTS]: `an https address, such as ${example}`,
    description,
    examples: [example],
  });
const color = (example: string) =>
  Type.String({
    pattern: '^#[0-9a-fA-F]{6}$',
    [EXPECTS]: 'a color of the form #rrggbb',
    description: 'A color: `#rrggbb`.',
    examples: [example],
  });
const mailbox = (description: string, example: string) =>
  Type.String({
    pattern: '^[^\\s@<>\\p{Cc}\\p{Cs}]+@[^\\s@<>\\p{Cc}\\p{Cs}]+$',
    [EXPECTS]: 'an email address',
    maxLength: 254,
    description,
    examples: [example],
  });
const line = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 255,
    ...LINE_OF_TEXT,
    description,
    examples: [example],
  });
const Host = Type.String({
  pattern: '^[A-Za-z0-9.:\\[\\]-]{1,253}$',
  [EXPECTS]: 'a host name or an address',
  description: 'The host name or address of the mail server.',
  examples: ['smtp.example.com'],
});

/** The appearance of the tenant's pages and emails (SPEC resources tenant). */
const BRANDING = {
  logo_url: httpsUrl(
    'Address of a logo: PNG, WebP, AVIF or SVG of at most 256 KiB. It is fetched once, and served by the service.',
    'https://acme.example.com/logo.svg',
  ),
  logo_dark_url: httpsUrl(
    'The same for dark backgrounds; default: the same logo.',
    'https://acme.example.com/logo-dark.svg',
  ),
  primary_color: color('#1d4ed8'),
  secondary_color: color('#f59e0b'),
  company_name: line('Name shown to users.', 'Acme Ltd'),
  support_email: mailbox('Where users can get help.', 'help@acme.example.com'),
  terms_url: httpsUrl('Terms of service, linked on pages.', 'https://acme.example.com/terms'),
  privacy_url: httpsUrl('Privacy policy, linked on pages.', 'https://acme.example.com/privacy'),
  color_scheme: Type.Enum(['auto', 'light', 'dark'], {
    description: 'Colors of the pages; `auto` (default): as the browser prefers.',
  }),
  corner: Type.Integer({
    minimum: 0,
    maximum: 16,
    description: 'Radius of the corners of buttons and fields, in pixels; default 6.',
    examples: [6],
  }),
  login_layout: Type.Enum(['centre', 'side'], {
    description: 'Where the login is on wide screens; default `centre`.',
  }),
};
export const TenantBranding = Type.Partial(Type.Object(BRANDING), {
  $id: 'TenantBranding',
  description: 'Appearance of the pages and mails of the tenant. Unset fields are absent.',
  additionalProperties: false,
});
export type TenantBranding = Static<typeof TenantBranding>;

export const TenantBrandingPatch = settingsPatch(BRANDING, {
  $id: 'TenantBrandingPatch',
  description: 'Settings to change; null removes one.',
});
export type TenantBrandingPatch = Static<typeof TenantBrandingPatch>;

/** Returned instead of a write-only secret. */
export const MASKED_SECRET = '********';

/** How the tenant sends messages. Secrets are write-only. */
const EMAIL = {
  provider: Type.Enum(['smtp'], { description: 'How mails are sent.' }),
  smtp_host: Host,
  smtp_port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'The port of the mail server.',
    examples: [587],
  }),
  smtp_username: line('The user name at the mail server.', 'acme'),
  smtp_password: secret({
    minLength: 1,
    maxLength: 1024,
    description: `The password at the mail server; reads as \`${MASKED_SECRET}\`. Another host, port, security or user name requires it again.`,
    examples: [MASKED_SECRET],
  }),
  smtp_security: Type.Enum(['tls', 'starttls', 'none'], {
    description:
      '`tls`: from the beginning; `starttls`: required; `none`: only for servers that the operator allows. Default: `tls` on port 465, else `starttls`.',
  }),
  from_address: mailbox('Sender of mails.', 'no-reply@acme.example.com'),
  from_name: line('Name of the sender; default: the company name.', 'Acme Ltd'),
  reply_to: mailbox('Where replies go; default: the sender.', 'help@acme.example.com'),
};
const SMS = {
  provider: Type.Enum(['twilio', 'vonage', 'webhook'], {
    description: 'The provider of text messages. `webhook`: your own service, at `url`.',
  }),
  account_sid: line('Account at the provider; of Vonage, the API key.', 'AC-example'),
  auth_token: secret({
    minLength: 1,
    maxLength: 1024,
    description: `Token of the account; of Vonage, the API secret. Another provider, account or \`url\` requires it again. Reads as \`${MASKED_SECRET}\`.`,
    examples: [MASKED_SECRET],
  }),
  from: Type.String({
    pattern: '^(\\+?[0-9]{3,15}|[A-Za-z0-9 ]{1,11}|MG[0-9a-f]{32})$',
    [EXPECTS]: 'a phone number, a name of up to 11 letters and digits, or a messaging service',
    description:
      'Sender: a number or a name that the provider accepts; of Twilio also the SID of a messaging service.',
    examples: ['+15005550006'],
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    ...LINE_OF_TEXT,
    description:
      'With `webhook`, where messages are posted. Otherwise the address of the provider’s API, if it is another one, such as that of a region.',
    examples: ['https://sms.acme.example.com/send'],
  }),
  secret: secret({
    minLength: 1,
    maxLength: 1024,
    description: `With \`webhook\`, the secret of at least 16 characters that requests are signed with, as those of webhooks are. Another provider or \`url\` requires it again. Reads as \`${MASKED_SECRET}\`.`,
    examples: [MASKED_SECRET],
  }),
};
export const TenantMessaging = Type.Partial(
  Type.Object({
    email: Type.Partial(Type.Object(EMAIL), {
      additionalProperties: false,
      description: 'Delivery of mails.',
    }),
    sms: Type.Partial(Type.Object(SMS), {
      additionalProperties: false,
      description: 'Delivery of text messages.',
    }),
  }),
  {
    $id: 'TenantMessaging',
    additionalProperties: false,
    description: 'Delivery of messages. Unset fields are absent; secrets are masked.',
  },
);
export type TenantMessaging = Static<typeof TenantMessaging>;

export const TenantMessagingPatch = settingsPatch(
  {
    email: settingsPatch(EMAIL, {
      $id: 'TenantEmailPatch',
      description: 'Delivery of mails: settings to change; null removes one.',
    }),
    sms: settingsPatch(SMS, {
      $id: 'TenantSmsPatch',
      description: 'Delivery of text messages: settings to change; null removes one.',
    }),
  },
  {
    $id: 'TenantMessagingPatch',
    description: 'Groups of settings to change; null removes a whole group.',
  },
);
export type TenantMessagingPatch = Static<typeof TenantMessagingPatch>;

export const TenantRecord = Type.Object(
  {
    id: TenantIdSchema,
    tenant_id: TenantIdSchema,
    name: nameOf('Display name.', 'Acme Ltd'),
    slug: nameOf('The id without `org_`.', 'acme'),
    domains: Type.Array(
      Type.String({ description: 'A host name.', examples: ['acme.example.com'] }),
      { description: 'Host names of the tenant.' },
    ),
    issuer: nameOf('The `iss` of its tokens.', 'https://id.example.com/t/org_acme'),
    config: TenantConfig,
    branding: TenantBranding,
    messaging: TenantMessaging,
    is_active: Type.Boolean({
      description: 'While inactive, every request to it fails with 403.',
    }),
    created_at: CreatedAt,
  },
  { $id: 'Tenant', description: 'An organization, isolated from every other one.' },
);
export type TenantRecord = Static<typeof TenantRecord>;
