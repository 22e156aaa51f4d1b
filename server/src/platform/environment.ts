import { EXPECTS, expectationOf } from '@keywright/contract/expectation';
import Type, { type Static, type TSchema } from 'typebox';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const setting = (description: string, form: { readonly [keyword: string]: unknown }) =>
  Type.Optional(Type.String({ description, ...form }));
const port = (description: string, example: number) =>
  setting(description, {
    pattern: '^[0-9]{1,5}$',
    [EXPECTS]: `a port number up to 65535, such as ${example}`,
  });

/** The values of variables that are not set. Other variables have none. */
export const DEFAULTS = {
  KEYWRIGHT_HOST: '127.0.0.1',
  KEYWRIGHT_PORT: '8080',
  KEYWRIGHT_WORKERS: '1',
  KEYWRIGHT_DATA_DIR: '.keywright',
  KEYWRIGHT_STATEMENT_TIMEOUT_MS: '5000',
  KEYWRIGHT_BREACHED_PASSWORDS_URL: 'https://api.pwnedpasswords.com',
  KEYWRIGHT_MAX_CONNECTIONS: '10000',
  KEYWRIGHT_STATUS_STREAMS: '4000',
  KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: '1000',
  KEYWRIGHT_LOG_LEVEL: 'info',
} as const;

const SERVER = {
  KEYWRIGHT_HOST: setting('IP address or host name that the service listens on.', {
    minLength: 1,
    [EXPECTS]: 'a host name or an IP address, such as 127.0.0.1 or 0.0.0.0',
  }),
  KEYWRIGHT_PORT: port('Port that the service listens on.', 8080),
  KEYWRIGHT_BASE_URL: setting(
    'Public URL of the service. If unset, it is `http://localhost:` with the port in use.',
    {
      pattern: '^https?://[^/?#]+(/[^?#]*[^/?#])?$',
      [EXPECTS]:
        'a URL without a trailing slash, a query or a fragment, such as https://id.example.com',
    },
  ),
  KEYWRIGHT_DOCS_URL: setting(
    'URL of the documentation, which errors link to. If unset, it is `/docs` below the public URL of the service.',
    {
      // The characters of an error_uri (RFC 6749 §5.2).
      pattern: '^https?://[!$-.0->@-\\[\\]-~]+(/[!$->@-\\[\\]-~]*[!$-.0->@-\\[\\]-~])?$',
      [EXPECTS]:
        'a URL without a trailing slash, a query or a fragment, such as https://docs.example.com/keywright',
    },
  ),
  KEYWRIGHT_WORKERS: setting(
    'Number of processes that share the port. `auto` starts one per core. More than one requires `KEYWRIGHT_DATABASE_URL`.',
    {
      pattern: '^(auto|[1-9][0-9]{0,2})$',
      [EXPECTS]: 'auto, or a number of processes from 1 to 999, such as 4',
    },
  ),
  NODE_ENV: Type.Optional(
    Type.String({
      description:
        'With `production`, emails of tenants without a mail server fail. Otherwise, with the embedded database on a loopback host, they are logged and shown at `/dev/messages`.',
      [EXPECTS]: 'production, or any other value',
    }),
  ),
};

const DATABASE = {
  KEYWRIGHT_DATABASE_URL: setting(
    'PostgreSQL 15 or newer, on a single host. If unset, the service uses its embedded database.',
    {
      pattern: '^postgres(ql)?://',
      [EXPECTS]:
        'the URL of one PostgreSQL server, such as postgres://user:password@host:5432/name',
    },
  ),
  KEYWRIGHT_STATEMENT_TIMEOUT_MS: setting(
    'How long PostgreSQL can work on a statement of a request, in milliseconds. After that, the connection is closed and the request fails with 503.',
    {
      pattern: '^[1-9][0-9]{2,5}$',
      [EXPECTS]: 'a whole number of milliseconds from 100 to 999999, such as 5000',
    },
  ),
  KEYWRIGHT_DATA_DIR: setting('Folder of the embedded database.', {
    minLength: 1,
    [EXPECTS]: 'the path of a folder, such as /var/lib/keywright',
  }),
};

const KEYS = {
  KEYWRIGHT_MASTER_KEY: setting(
    'Encrypts the keys and secrets in the database. Required with `KEYWRIGHT_DATABASE_URL`; with the embedded database, the service generates one and stores it with the data.',
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
};

const ADMINISTRATOR = {
  KEYWRIGHT_ADMIN_IDENTIFIER: setting(
    'Identifier of the first system administrator. Set it together with `KEYWRIGHT_ADMIN_SECRET`.',
    {
      minLength: 1,
      [EXPECTS]: 'an email address or a phone number, such as you@example.com or +15551234567',
    },
  ),
  KEYWRIGHT_ADMIN_SECRET: setting(
    'Password of the first system administrator. Used only at the first start.',
    {
      minLength: 1,
      [EXPECTS]: 'a password of at least 12 characters; create one with: openssl rand -base64 18',
    },
  ),
};

const NETWORK = {
  KEYWRIGHT_TRUSTED_PROXIES: setting('Reverse proxies whose `X-Forwarded-…` headers are trusted.', {
    [EXPECTS]: 'IP addresses and CIDRs, separated by commas, such as 10.0.0.0/8,192.0.2.1',
  }),
  KEYWRIGHT_EGRESS_ALLOW: setting(
    'Destinations that outgoing calls can reach although they are not public.',
    {
      [EXPECTS]:
        'hosts and IP addresses, each with an optional port, and CIDRs, separated by commas, such as hooks.internal:8443,10.2.0.5,[fd00::7]:8443,10.3.0.0/16',
    },
  ),
  KEYWRIGHT_DEMO_PROVIDER: setting(
    'For development: issuer of a demo identity provider on this machine, which the console offers to add. `npm run dev` sets it. Ignored if `NODE_ENV` is `production`.',
    {
      pattern: '^http://localhost:[0-9]{1,5}$',
      [EXPECTS]: 'an http URL of this machine, such as http://localhost:9090',
    },
  ),
};

const MAIL = {
  KEYWRIGHT_SMTP_URL: setting(
    'Mail server for tenants that have none. `smtps:` uses TLS. `smtp:` requires STARTTLS, unless the URL ends with `?tls=none`. Requires `KEYWRIGHT_MAIL_FROM`.',
    {
      pattern: '^smtps?://[^\\s/?#]+/?(\\?tls=none)?$',
      [EXPECTS]:
        'the URL of a mail server, such as smtp://user:password@mail.example.com:587, with the characters @ : / # % of the password percent-encoded',
    },
  ),
  KEYWRIGHT_MAIL_FROM: setting(
    'Sender of the emails of tenants without a mail server. Requires `KEYWRIGHT_SMTP_URL`.',
    {
      pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
      [EXPECTS]: 'an email address, such as no-reply@example.com',
    },
  ),
};

const PASSWORDS = {
  KEYWRIGHT_BREACHED_PASSWORDS_URL: setting(
    'Service for tenants whose setting `breached_passwords` is `range`. It implements `GET /range/<5 digits>` of Have I Been Pwned.',
    {
      pattern: '^https?://[^\\s/?#@]+(/[^\\s?#]*[^\\s/?#])?$',
      [EXPECTS]:
        'a URL without a trailing slash, a query or a fragment, such as https://api.pwnedpasswords.com',
    },
  ),
  KEYWRIGHT_BREACHED_PASSWORDS_FILE: setting(
    'File for tenants whose setting `breached_passwords` is `file`. `keywright passwords build` creates it.',
    {
      minLength: 1,
      [EXPECTS]: 'the path of a file, such as /var/lib/keywright/breached.bin',
    },
  ),
};

const LIMITS = {
  KEYWRIGHT_MAX_CONNECTIONS: setting('Maximum number of open connections per process.', {
    pattern: '^[1-9][0-9]{0,6}$',
    [EXPECTS]: 'a whole number from 1 to 9999999, such as 10000',
  }),
  KEYWRIGHT_STATUS_STREAMS: setting(
    'Maximum number of revocation streams per node. One tenant can use half of them.',
    {
      pattern: '^[0-9]{1,6}$',
      [EXPECTS]: 'a whole number up to 999999, such as 4000',
    },
  ),
  KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: setting(
    'Maximum number of revocation streams per node for one IPv4 address or IPv6 /64 network.',
    {
      pattern: '^[0-9]{1,6}$',
      [EXPECTS]: 'a whole number up to 999999, such as 1000',
    },
  ),
};

const OBSERVABILITY = {
  KEYWRIGHT_LOG_LEVEL: Type.Optional(
    Type.Enum([...LOG_LEVELS], {
      description:
        'Lowest level that is logged. `silent` logs nothing. By default, local commands log at `warn` and above.',
    }),
  ),
  KEYWRIGHT_METRICS_PORT: port(
    'Port of the Prometheus endpoint `/metrics`, on `KEYWRIGHT_HOST`. If unset, metrics are off.',
    9464,
  ),
};

/** The variables by subject, in the order of the reference. */
export const ENVIRONMENT_GROUPS: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = {
  Server: SERVER,
  Database: DATABASE,
  'Master key': KEYS,
  'First administrator': ADMINISTRATOR,
  Network: NETWORK,
  Email: MAIL,
  'Breached passwords': PASSWORDS,
  Limits: LIMITS,
  'Logs and metrics': OBSERVABILITY,
};

/** Every environment variable that the service reads, except those of OpenTelemetry. */
export const Environment = Type.Object({
  ...SERVER,
  ...DATABASE,
  ...KEYS,
  ...ADMINISTRATOR,
  ...NETWORK,
  ...MAIL,
  ...PASSWORDS,
  ...LIMITS,
  ...OBSERVABILITY,
});
export type Environment = Static<typeof Environment>;

/** Describes the expected value. The actual value can be a secret, and is not repeated. */
export function expectedFormOf(name: string): string {
  const form = new Map<string, object>(Object.entries(Environment.properties)).get(name);
  return `${name}: expected ${expectationOf(form ?? {})}.`;
}
