import Type, { type Static } from 'typebox';
import { TenantIdSchema } from '../ids.ts';
import { LINE_OF_TEXT, settingsPatch } from '../shape.ts';
import { line, mailbox, TenantBranding } from './branding.ts';
import { CreatedAt, nameOf } from './record-fields.ts';
import { secret } from './tokens.ts';
import { EXPECTS } from '../expectation.ts';
import { TenantConfig } from './tenant-config.ts';

export { TenantBranding, TenantBrandingPatch } from './branding.ts';
export { SETTING_SCOPES, TenantConfigPatch } from './tenant-config-patch.ts';
export { TenantConfig, WORKING_LOGIN_METHODS } from './tenant-config.ts';

/** The maximum length of a secret, the same for all tenants, in characters after NFKC. */
export const SECRET_MAX_LENGTH = 256;

const Host = Type.String({
  pattern: '^[A-Za-z0-9.:\\[\\]-]{1,253}$',
  [EXPECTS]: 'a host name or an IP address',
  description: 'Host name or IP address of the mail server.',
  examples: ['smtp.example.com'],
});

/** Returned instead of a write-only secret. */
export const MASKED_SECRET = '********';

/** How the tenant sends messages. Secrets are write-only. */
export const EMAIL = {
  provider: Type.Enum(['smtp'], { description: 'Provider of email delivery.' }),
  smtp_host: Host,
  smtp_port: Type.Integer({
    minimum: 1,
    maximum: 65_535,
    description: 'Port of the mail server.',
    examples: [587],
  }),
  smtp_username: line('User name at the mail server.', 'acme'),
  smtp_password: secret({
    minLength: 1,
    maxLength: 1024,
    description: `Password at the mail server. Always reads as \`${MASKED_SECRET}\`. If you change the host, port, security or user name, you must send it again.`,
    examples: [MASKED_SECRET],
  }),
  smtp_security: Type.Enum(['tls', 'starttls', 'none'], {
    description:
      '`tls`: TLS from the start. `starttls`: STARTTLS is required. `none`: only for servers that the operator allows. Default: `tls` on port 465, otherwise `starttls`.',
  }),
  from_address: mailbox('Sender of emails.', 'no-reply@acme.example.com'),
  from_name: line('Name of the sender. Default: the company name.', 'Acme Ltd'),
  reply_to: mailbox(
    'Email address for replies. Default: `support_email` of the branding, or else the sender.',
    'help@acme.example.com',
  ),
};
const SMS = {
  provider: Type.Enum(['twilio', 'vonage', 'webhook'], {
    description: 'Provider of text messages. `webhook`: your own service at `url`.',
  }),
  account_sid: line('Account at the provider. For Vonage, the API key.', 'AC-example'),
  auth_token: secret({
    minLength: 1,
    maxLength: 1024,
    description: `Token of the account. For Vonage, the API secret. If you change the provider, account or \`url\`, you must send it again. Always reads as \`${MASKED_SECRET}\`.`,
    examples: [MASKED_SECRET],
  }),
  from: Type.String({
    pattern: '^(\\+?[0-9]{3,15}|[A-Za-z0-9 ]{1,11}|MG[0-9a-f]{32})$',
    [EXPECTS]: 'a phone number, a name of up to 11 letters and digits, or a messaging service',
    description:
      'Sender: a number or name that the provider accepts. For Twilio, also the SID of a messaging service.',
    examples: ['+15005550006'],
  }),
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    ...LINE_OF_TEXT,
    description:
      'With `webhook`: URL that messages are posted to. For other providers: base URL of the provider’s API, if it differs from the default, as in a specific region.',
    examples: ['https://sms.acme.example.com/send'],
  }),
  secret: secret({
    minLength: 1,
    maxLength: 1024,
    description: `With \`webhook\`: the secret that signs requests in the same way as webhooks, at least 16 characters. If you change the provider or \`url\`, you must send it again. Always reads as \`${MASKED_SECRET}\`.`,
    examples: [MASKED_SECRET],
  }),
};
export const TenantMessaging = Type.Partial(
  Type.Object({
    email: Type.Partial(Type.Object(EMAIL), {
      additionalProperties: false,
      description: 'Email delivery.',
    }),
    sms: Type.Partial(Type.Object(SMS), {
      additionalProperties: false,
      description: 'SMS delivery.',
    }),
  }),
  {
    $id: 'TenantMessaging',
    additionalProperties: false,
    description: 'Delivery of messages. Unset fields are absent. Secrets are masked.',
  },
);
export type TenantMessaging = Static<typeof TenantMessaging>;

export const TenantMessagingPatch = settingsPatch(
  {
    email: settingsPatch(EMAIL, {
      $id: 'TenantEmailPatch',
      description: 'Email delivery settings to change. `null` removes a setting.',
    }),
    sms: settingsPatch(SMS, {
      $id: 'TenantSmsPatch',
      description: 'SMS delivery settings to change. `null` removes a setting.',
    }),
  },
  {
    $id: 'TenantMessagingPatch',
    description: 'Groups of settings to change. `null` removes a whole group.',
  },
);
export type TenantMessagingPatch = Static<typeof TenantMessagingPatch>;

export const TenantRecord = Type.Object(
  {
    id: TenantIdSchema,
    tenant_id: TenantIdSchema,
    name: nameOf('Display name.', 'Acme Ltd'),
    slug: nameOf('The ID without the prefix `org_`.', 'acme'),
    domains: Type.Array(
      Type.String({ description: 'A host name.', examples: ['acme.example.com'] }),
      { description: 'Host names of the tenant.' },
    ),
    issuer: nameOf('The `iss` of the tenant’s tokens.', 'https://id.example.com/t/org_acme'),
    config: TenantConfig,
    branding: TenantBranding,
    messaging: TenantMessaging,
    email_delivery: Type.Enum(['tenant', 'installation', 'development', 'none'], {
      description:
        'How the tenant’s emails are delivered. `tenant`: by its own mail server. `installation`: by the mail server of the installation. `development`: they are shown instead of being sent. `none`: they cannot be sent.',
    }),
    is_active: Type.Boolean({
      description:
        'Whether the tenant is active. Every request to an inactive tenant fails with 403.',
    }),
    created_at: CreatedAt,
  },
  { $id: 'Tenant', description: 'An organization, isolated from all other tenants.' },
);
export type TenantRecord = Static<typeof TenantRecord>;
