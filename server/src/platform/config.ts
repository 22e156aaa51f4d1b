import type { BlockList } from 'node:net';
import { parseIdentifier } from '@keywright/contract/identifiers';
import Type, { type Static } from 'typebox';
import { Compile } from './compile.ts';
import { type EgressAllow, parseEgressAllow } from './egress/allow.ts';
import { databaseUrlViolations, readProxies } from './settings.ts';
import { countWorkers } from './workers.ts';

const MIN_ADMIN_SECRET = 12;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

/** Every environment variable that the service reads. */
export const Environment = Type.Object({
  KEYWRIGHT_HOST: text('Address to listen on; default 127.0.0.1.'),
  KEYWRIGHT_PORT: Type.Optional(
    Type.String({ pattern: '^[0-9]{1,5}$', description: 'Port to listen on; default 8080.' }),
  ),
  KEYWRIGHT_BASE_URL: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#]+(/[^?#]*[^/?#])?$',
      description: 'Public address, without a slash at its end; default http://localhost:PORT.',
    }),
  ),
  KEYWRIGHT_DATABASE_URL: Type.Optional(
    Type.String({
      pattern: '^postgres(ql)?://',
      description:
        'PostgreSQL 15 or newer, postgres://user:password@host:5432/name with one host; unset: the embedded database.',
    }),
  ),
  KEYWRIGHT_STATEMENT_TIMEOUT_MS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{2,5}$',
      description:
        'How long PostgreSQL may take to answer a statement of a request, in milliseconds from 100 on; then the connection is closed and the request answered with 503. Default 5000.',
    }),
  ),
  KEYWRIGHT_DATA_DIR: text('Folder of the embedded database; default .keywright.'),
  KEYWRIGHT_MASTER_KEY: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      description: '32 random bytes in base64; needed with KEYWRIGHT_DATABASE_URL.',
    }),
  ),
  KEYWRIGHT_MASTER_KEY_PREVIOUS: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9+/]{43}=$',
      description: 'Another master key that is at hand, while one takes over from the other.',
    }),
  ),
  KEYWRIGHT_ADMIN_IDENTIFIER: text('E-mail address of the first system administrator.'),
  KEYWRIGHT_ADMIN_SECRET: text('Its password, used at the first start only.'),
  KEYWRIGHT_TRUSTED_PROXIES: Type.Optional(
    Type.String({ description: 'CIDRs, separated by commas, whose X-Forwarded headers count.' }),
  ),
  KEYWRIGHT_EGRESS_ALLOW: Type.Optional(
    Type.String({
      description:
        'Hosts and addresses, each with a port or without, and CIDRs, separated by commas, that outgoing calls may reach although they are not public.',
    }),
  ),
  KEYWRIGHT_MAX_CONNECTIONS: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,6}$',
      description: 'Connections that one process keeps open, at the most; default 10000.',
    }),
  ),
  KEYWRIGHT_STATUS_STREAMS: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,6}$',
      description:
        'Revocation streams that one node serves at most, half of them for one tenant; default 4000.',
    }),
  ),
  KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,6}$',
      description: 'The same from one IPv4 address or IPv6 /64; default 1000.',
    }),
  ),
  KEYWRIGHT_METRICS_PORT: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,5}$',
      description:
        'Port for Prometheus to scrape /metrics on, at KEYWRIGHT_HOST; unset: no metrics.',
    }),
  ),
  KEYWRIGHT_WORKERS: Type.Optional(
    Type.String({
      pattern: '^(auto|[1-9][0-9]{0,2})$',
      description:
        'How many processes serve on one port; auto: one for each core. Default 1. More than one needs KEYWRIGHT_DATABASE_URL.',
    }),
  ),
  KEYWRIGHT_LOG_LEVEL: Type.Optional(Type.Enum([...LOG_LEVELS], { description: 'Default info.' })),
  NODE_ENV: Type.Optional(Type.String()),
});
type Environment = Static<typeof Environment>;

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined: http://localhost:PORT, the port being the one that is listened on. */
  readonly baseUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** How long a statement of a request may take. */
  readonly statementTimeoutMs: number;
  readonly dataDir: string;
  /** The master keys at hand, the one of KEYWRIGHT_MASTER_KEY first; empty: one is kept beside the data. */
  readonly masterKeys: readonly Buffer[];
  readonly admin: { readonly identifier: string; readonly secret: string } | undefined;
  readonly trustedProxies: BlockList;
  /** Where outgoing calls may go although it is not public. */
  readonly egressAllow: EgressAllow;
  readonly maxConnections: number;
  /** How many connections follow revocations at a time. */
  readonly statusStreams: { readonly total: number; readonly perAddress: number };
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined;
  /** How many processes serve. */
  readonly workers: number;
  readonly logLevel: string;
  /** NODE_ENV is production: nothing is created or printed for convenience. */
  readonly production: boolean;
}

/** The environment is not usable; the message names every violation. */
export class ConfigError extends Error {
  readonly violations: readonly string[];

  constructor(violations: readonly string[]) {
    super(
      `Keywright can't start: its environment is not right.\n${violations.map((one) => `  - ${one}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.violations = violations;
  }
}

const checker = Compile(Environment);

/** Reads the environment. @throws ConfigError with every violation at once. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const known = pickKnown(environment);
  const violations = formViolations(known);
  const trustedProxies = readProxies(known['KEYWRIGHT_TRUSTED_PROXIES'] ?? '', violations);
  const egress = parseEgressAllow(known['KEYWRIGHT_EGRESS_ALLOW'] ?? '');
  for (const entry of egress.invalid) {
    violations.push(
      `KEYWRIGHT_EGRESS_ALLOW holds ${JSON.stringify(entry)}, which is not a host or an address (each with a port or without: host:8443, 10.2.0.5:8443, [fd00::7]:8443), or a CIDR.`,
    );
  }
  const env = known as Environment;
  violations.push(...meaningViolations(env));
  if (violations.length > 0) throw new ConfigError(violations);
  const { KEYWRIGHT_ADMIN_IDENTIFIER: identifier, KEYWRIGHT_ADMIN_SECRET: secret } = env;
  return {
    host: env.KEYWRIGHT_HOST ?? '127.0.0.1',
    port: Number(env.KEYWRIGHT_PORT ?? 8080),
    baseUrl: env.KEYWRIGHT_BASE_URL,
    databaseUrl: env.KEYWRIGHT_DATABASE_URL,
    statementTimeoutMs: Number(env.KEYWRIGHT_STATEMENT_TIMEOUT_MS ?? 5000),
    dataDir: env.KEYWRIGHT_DATA_DIR ?? '.keywright',
    masterKeys: [env.KEYWRIGHT_MASTER_KEY, env.KEYWRIGHT_MASTER_KEY_PREVIOUS]
      .filter((key) => key !== undefined)
      .map((key) => Buffer.from(key, 'base64')),
    admin: identifier && secret ? { identifier, secret } : undefined,
    trustedProxies,
    egressAllow: egress.allow,
    maxConnections: Number(env.KEYWRIGHT_MAX_CONNECTIONS ?? 10_000),
    statusStreams: {
      total: Number(env.KEYWRIGHT_STATUS_STREAMS ?? 4000),
      perAddress: Number(env.KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS ?? 1000),
    },
    metricsPort: env.KEYWRIGHT_METRICS_PORT ? Number(env.KEYWRIGHT_METRICS_PORT) : undefined,
    workers: countWorkers(env.KEYWRIGHT_WORKERS, env.KEYWRIGHT_DATABASE_URL !== undefined),
    logLevel: env.KEYWRIGHT_LOG_LEVEL ?? 'info',
    production: env.NODE_ENV === 'production',
  };
}

function pickKnown(environment: Readonly<Record<string, string | undefined>>) {
  const known: Record<string, string> = {};
  for (const name of Object.keys(Environment.properties)) {
    const value = environment[name];
    if (value !== undefined) known[name] = value;
  }
  for (const name of Object.keys(environment)) {
    // A misspelt setting must not be silently without effect.
    if (
      name.startsWith('KEYWRIGHT_') &&
      !name.startsWith('KEYWRIGHT_TEST_') &&
      !(name in Environment.properties)
    ) {
      known[name] = 'unknown';
    }
  }
  return known;
}

function formViolations(known: Record<string, string>): string[] {
  const unknown = Object.keys(known).filter((name) => !(name in Environment.properties));
  const malformed = checker.Check(known)
    ? []
    : [...new Set(checker.Errors(known).map((error) => error.instancePath.slice(1)))];
  return [
    ...malformed.map((name) => `${name} is not of its form: ${describeSetting(name)}`),
    ...unknown.map((name) => `${name} is not a setting of Keywright.`),
  ];
}

/** What an environment variable means, in a sentence; nothing for one that there isn't. */
export function describeSetting(name: string): string {
  const setting = Object.entries(Environment.properties).find(([one]) => one === name)?.[1];
  return setting && 'description' in setting ? String(setting.description) : '';
}

function meaningViolations(env: Environment): string[] {
  const violations: string[] = [];
  for (const name of ['KEYWRIGHT_PORT', 'KEYWRIGHT_METRICS_PORT'] as const) {
    if (Number(env[name] ?? 0) > 65_535) violations.push(`${name} is above 65535.`);
  }
  violations.push(...databaseUrlViolations(env.KEYWRIGHT_DATABASE_URL));
  if (env.KEYWRIGHT_DATABASE_URL && !env.KEYWRIGHT_MASTER_KEY) {
    violations.push(
      'KEYWRIGHT_MASTER_KEY is missing: it is needed with KEYWRIGHT_DATABASE_URL. Make one with: openssl rand -base64 32',
    );
  }
  if (Number(env.KEYWRIGHT_WORKERS ?? 1) > 1 && !env.KEYWRIGHT_DATABASE_URL) {
    violations.push(
      'KEYWRIGHT_WORKERS is above 1, which needs a PostgreSQL server: the embedded database lives in one process. Set KEYWRIGHT_DATABASE_URL, or leave KEYWRIGHT_WORKERS at 1.',
    );
  }
  if (Boolean(env.KEYWRIGHT_ADMIN_IDENTIFIER) !== Boolean(env.KEYWRIGHT_ADMIN_SECRET)) {
    violations.push(
      'KEYWRIGHT_ADMIN_IDENTIFIER and KEYWRIGHT_ADMIN_SECRET are only good together.',
    );
  }
  if (env.KEYWRIGHT_ADMIN_IDENTIFIER && !parseIdentifier(env.KEYWRIGHT_ADMIN_IDENTIFIER)) {
    violations.push('KEYWRIGHT_ADMIN_IDENTIFIER is neither an e-mail address nor a phone number.');
  }
  if (env.KEYWRIGHT_ADMIN_SECRET && env.KEYWRIGHT_ADMIN_SECRET.length < MIN_ADMIN_SECRET) {
    violations.push(`KEYWRIGHT_ADMIN_SECRET needs at least ${MIN_ADMIN_SECRET} characters.`);
  }
  return violations;
}
