import { EXPECTS } from '@keywright/contract/expectation';
import Type, { type Static } from 'typebox';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const setting = (description: string, form: { readonly [keyword: string]: unknown }) =>
  Type.Optional(Type.String({ description, ...form }));

/** Every environment variable that the service reads. */
export const Environment = Type.Object({
  KEYWRIGHT_HOST: setting('Address to listen on; default 127.0.0.1.', {
    minLength: 1,
    [EXPECTS]: 'a host name or an address to listen on, such as 127.0.0.1 or 0.0.0.0',
  }),
  KEYWRIGHT_PORT: setting('Port to listen on; default 8080.', {
    pattern: '^[0-9]{1,5}$',
    [EXPECTS]: 'a port number up to 65535, such as 8080',
  }),
  KEYWRIGHT_BASE_URL: setting(
    'Public address, without a trailing slash; default http://localhost:PORT.',
    {
      pattern: '^https?://[^/?#]+(/[^?#]*[^/?#])?$',
      [EXPECTS]:
        'an address without a trailing slash, a query or a fragment, such as https://id.example.com',
    },
  ),
  KEYWRIGHT_DATABASE_URL: setting(
    'PostgreSQL 15 or newer, postgres://user:password@host:5432/name with one host; unset: the embedded database.',
    {
      pattern: '^postgres(ql)?://',
      [EXPECTS]:
        'the address of one PostgreSQL server, such as postgres://user:password@host:5432/name',
    },
  ),
  KEYWRIGHT_STATEMENT_TIMEOUT_MS: setting(
    'Timeout of PostgreSQL for a statement of a request, in milliseconds from 100 on; then the connection is closed and the request answered with 503. Default 5000.',
    {
      pattern: '^[1-9][0-9]{2,5}$',
      [EXPECTS]: 'a whole number of milliseconds from 100 to 999999, such as 5000',
    },
  ),
  KEYWRIGHT_DATA_DIR: setting('Folder of the embedded database; default .keywright.', {
    minLength: 1,
    [EXPECTS]: 'the path of a folder, such as /var/lib/keywright',
  }),
  KEYWRIGHT_MASTER_KEY: setting(
    '32 random bytes in base64; required with KEYWRIGHT_DATABASE_URL.',
    {
      pattern: '^[A-Za-z0-9+/]{43}=$',
      [EXPECTS]:
        '32 random bytes in base64, which are 44 characters; create them with: openssl rand -base64 32',
    },
  ),
  KEYWRIGHT_MASTER_KEY_PREVIOUS: setting('The previous master key, during a rotation.', {
    pattern: '^[A-Za-z0-9+/]{43}=$',
    [EXPECTS]:
      'the previous value of KEYWRIGHT_MASTER_KEY, 44 characters; create a new one with: openssl rand -base64 32',
  }),
  KEYWRIGHT_ADMIN_IDENTIFIER: setting('Email address of the first system administrator.', {
    minLength: 1,
    [EXPECTS]: 'an email address or a phone number, such as you@example.com or +15551234567',
  }),
  KEYWRIGHT_ADMIN_SECRET: setting('Its password, used at the first start only.', {
    minLength: 1,
    [EXPECTS]: 'a password of at least 12 characters; create one with: openssl rand -base64 18',
  }),
  KEYWRIGHT_TRUSTED_PROXIES: setting(
    'CIDRs, separated by commas, whose X-Forwarded headers are trusted.',
    {
      [EXPECTS]: 'addresses and CIDRs, separated by commas, such as 10.0.0.0/8,192.0.2.1',
    },
  ),
  KEYWRIGHT_EGRESS_ALLOW: setting(
    'Hosts and addresses, each with an optional port, and CIDRs, separated by commas, that outgoing calls may reach although they are not public.',
    {
      [EXPECTS]:
        'hosts and addresses, each with an optional port, and CIDRs, separated by commas, such as hooks.internal:8443,10.2.0.5,[fd00::7]:8443,10.3.0.0/16',
    },
  ),
  KEYWRIGHT_BREACHED_PASSWORDS_URL: setting(
    'Service that tenants with breached_passwords: range ask, which answers GET /range/<5 digits> as Have I Been Pwned does; default https://api.pwnedpasswords.com.',
    {
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*[^\\s/?#])?$',
      [EXPECTS]:
        'an address without a trailing slash, a query or a fragment, such as https://api.pwnedpasswords.com',
    },
  ),
  KEYWRIGHT_BREACHED_PASSWORDS_FILE: setting(
    'File that tenants with breached_passwords: file compare passwords with; keywright passwords build makes it.',
    {
      minLength: 1,
      [EXPECTS]: 'the path of a file, such as /var/lib/keywright/breached.bin',
    },
  ),
  KEYWRIGHT_SMTP_URL: setting(
    'Mail server for tenants without their own: smtps://user:password@host:465 with TLS, smtp://user:password@host:587 with STARTTLS, which is required unless ?tls=none follows. Requires KEYWRIGHT_MAIL_FROM.',
    {
      pattern: '^smtps?://[^\\s/?#]+/?(\\?tls=none)?$',
      [EXPECTS]:
        'the address of a mail server, such as smtp://user:password@mail.example.com:587, with characters of the password such as @ : / # % percent-encoded',
    },
  ),
  KEYWRIGHT_MAIL_FROM: setting('Sender of the mails of tenants without a mail server.', {
    pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
    [EXPECTS]: 'an email address, such as no-reply@example.com',
  }),
  KEYWRIGHT_MAX_CONNECTIONS: setting(
    'Maximum number of open connections per process; default 10000.',
    {
      pattern: '^[1-9][0-9]{0,6}$',
      [EXPECTS]: 'a whole number from 1 to 9999999, such as 10000',
    },
  ),
  KEYWRIGHT_STATUS_STREAMS: setting(
    'Maximum number of revocation streams per node, half of them for one tenant; default 4000.',
    {
      pattern: '^[0-9]{1,6}$',
      [EXPECTS]: 'a whole number up to 999999, such as 4000',
    },
  ),
  KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: setting(
    'The same per IPv4 address or IPv6 /64; default 1000.',
    {
      pattern: '^[0-9]{1,6}$',
      [EXPECTS]: 'a whole number up to 999999, such as 1000',
    },
  ),
  KEYWRIGHT_METRICS_PORT: setting(
    'Port of the Prometheus endpoint /metrics, at KEYWRIGHT_HOST; unset: no metrics.',
    {
      pattern: '^[0-9]{1,5}$',
      [EXPECTS]: 'a port number up to 65535, such as 9464',
    },
  ),
  KEYWRIGHT_WORKERS: setting(
    'Number of processes that share the port; auto: one per core. Default 1. More than one requires KEYWRIGHT_DATABASE_URL.',
    {
      pattern: '^(auto|[1-9][0-9]{0,2})$',
      [EXPECTS]: 'auto, or a number of processes from 1 to 999, such as 4',
    },
  ),
  KEYWRIGHT_LOG_LEVEL: Type.Optional(
    Type.Enum([...LOG_LEVELS], {
      description: 'Default info.',
      [EXPECTS]: `one of ${LOG_LEVELS.join(', ')}`,
    }),
  ),
  NODE_ENV: Type.Optional(Type.String()),
});
export type Environment = Static<typeof Environment>;

/** The description of an environment variable; undefined for an unknown one. */
export function describeSetting(name: string): string {
  return textOf(name, 'description');
}

/** Describes the expected value. The actual value can be a secret, and is not repeated. */
export function expectedFormOf(name: string): string {
  return `${name}: expected ${textOf(name, EXPECTS)}.`;
}

function textOf(name: string, keyword: string): string {
  const found = Object.entries(Environment.properties).find(([variable]) => variable === name)?.[1];
  const text = (found as Readonly<Record<string, unknown>> | undefined)?.[keyword];
  return typeof text === 'string' ? text : '';
}
