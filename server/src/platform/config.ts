import type { BlockList } from 'node:net';
import { parseIdentifier } from '@keywright/contract/identifiers';
import { didYouMean } from '@keywright/contract/suggest';
import type { TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { type EgressAllow, parseEgressAllow } from './egress/operator-exceptions.ts';
import { DEFAULTS, Environment, expectedFormOf } from './environment.ts';
import { databaseUrlViolations, type FallbackMail, readMail, readProxies } from './settings.ts';
import { countWorkers } from './workers.ts';

const MIN_ADMIN_SECRET = 12;
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Undefined: http://localhost:PORT, with the port in use. */
  readonly baseUrl: string | undefined;
  /** URL of the documentation, without a trailing slash; undefined: /docs at the public address. */
  readonly docsUrl: string | undefined;
  readonly databaseUrl: string | undefined;
  /** Timeout of each statement of a request. */
  readonly statementTimeoutMs: number;
  readonly dataDir: string;
  /** The available master keys, with that of `KEYWRIGHT_MASTER_KEY` first; if empty, a key is stored with the data. */
  readonly masterKeys: readonly Buffer[];
  readonly admin: { readonly identifier: string; readonly secret: string } | undefined;
  readonly trustedProxies: BlockList;
  /** Non-public destinations that outgoing calls may reach. */
  readonly egressAllow: EgressAllow;
  /** The fallback mail server, for tenants without their own; undefined: none. */
  readonly mail: FallbackMail | undefined;
  /** The issuer of the demo identity provider; undefined in production. */
  readonly demoProvider: string | undefined;
  /** Where tenants can look up breached passwords. */
  readonly breachedPasswords: { readonly url: string; readonly file: string | undefined };
  readonly maxConnections: number;
  /** Maximum number of connections to revocation streams. */
  readonly statusStreams: { readonly total: number; readonly perAddress: number };
  /** Undefined: no metrics. */
  readonly metricsPort: number | undefined;
  /** Number of server processes. */
  readonly workers: number;
  readonly logLevel: string;
  /** Whether `NODE_ENV` is production: undeliverable messages are then not shown on the screen. */
  readonly production: boolean;
}

/** An invalid environment. The message lists every violation. */
export class ConfigError extends Error {
  readonly violations: readonly string[];

  constructor(violations: readonly string[]) {
    super(
      `Keywright cannot start. Correct these environment variables:\n${violations.map((violation) => `  - ${violation}`).join('\n')}`,
    );
    this.name = 'ConfigError';
    this.violations = violations;
  }
}

/** Parses the environment. @throws ConfigError with every violation */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const settings = pickSettings(environment);
  const violations = formViolations(settings);
  const trustedProxies = readProxies(settings['KEYWRIGHT_TRUSTED_PROXIES'] ?? '', violations);
  const egress = parseEgressAllow(settings['KEYWRIGHT_EGRESS_ALLOW'] ?? '');
  for (const entry of egress.invalid) {
    violations.push(`${expectedFormOf('KEYWRIGHT_EGRESS_ALLOW')} Got ${JSON.stringify(entry)}.`);
  }
  violations.push(...meaningViolations(settings));
  const env = { ...DEFAULTS, ...(settings as Environment) };
  const mail = readMail(env, violations);
  if (violations.length > 0) throw new ConfigError([...new Set(violations)]);
  const { KEYWRIGHT_ADMIN_IDENTIFIER: identifier, KEYWRIGHT_ADMIN_SECRET: secret } = env;
  return {
    host: env.KEYWRIGHT_HOST,
    port: Number(env.KEYWRIGHT_PORT),
    baseUrl: env.KEYWRIGHT_BASE_URL,
    docsUrl: env.KEYWRIGHT_DOCS_URL,
    databaseUrl: env.KEYWRIGHT_DATABASE_URL,
    statementTimeoutMs: Number(env.KEYWRIGHT_STATEMENT_TIMEOUT_MS),
    dataDir: env.KEYWRIGHT_DATA_DIR,
    masterKeys: [env.KEYWRIGHT_MASTER_KEY, env.KEYWRIGHT_MASTER_KEY_PREVIOUS]
      .filter((key) => key !== undefined)
      .map((key) => Buffer.from(key, 'base64')),
    admin: identifier && secret ? { identifier, secret } : undefined,
    trustedProxies,
    egressAllow: egress.allow,
    demoProvider: env.NODE_ENV === 'production' ? undefined : env.KEYWRIGHT_DEMO_PROVIDER,
    breachedPasswords: {
      url: env.KEYWRIGHT_BREACHED_PASSWORDS_URL,
      file: env.KEYWRIGHT_BREACHED_PASSWORDS_FILE,
    },
    mail,
    maxConnections: Number(env.KEYWRIGHT_MAX_CONNECTIONS),
    statusStreams: {
      total: Number(env.KEYWRIGHT_STATUS_STREAMS),
      perAddress: Number(env.KEYWRIGHT_STATUS_STREAMS_PER_ADDRESS),
    },
    metricsPort: env.KEYWRIGHT_METRICS_PORT ? Number(env.KEYWRIGHT_METRICS_PORT) : undefined,
    workers: countWorkers(env.KEYWRIGHT_WORKERS, env.KEYWRIGHT_DATABASE_URL !== undefined),
    logLevel: env.KEYWRIGHT_LOG_LEVEL,
    production: env.NODE_ENV === 'production',
  };
}

/** Settings of the tests and of the CLI's remote commands. */
const OF_OTHERS = /^KEYWRIGHT_(?:TEST_.*|URL|TENANT|PROFILE|TOKEN|API_KEY)$/;

function pickSettings(environment: Readonly<Record<string, string | undefined>>) {
  const settings: Record<string, string> = {};
  for (const name of Object.keys(FORMS)) {
    const value = environment[name];
    if (value !== undefined) settings[name] = value;
  }
  for (const name of Object.keys(environment)) {
    // A misspelled setting must not be ignored silently.
    const isOurs = name.startsWith('KEYWRIGHT_') && !OF_OTHERS.test(name);
    if (isOurs && !(name in FORMS)) settings[name] = 'unknown';
  }
  return settings;
}

const FORMS: Readonly<Record<string, TSchema>> = Environment.properties;

function formViolations(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => {
    const form = FORMS[name];
    if (form === undefined) {
      const meant = didYouMean(name, Object.keys(FORMS));
      return [`${name} is not a setting of Keywright.${meant} ${ALL_SETTINGS}`];
    }
    // Not compiled, since each schema is checked only once.
    return Check(form, value) ? [] : [expectedFormOf(name)];
  });
}

const ALL_SETTINGS = 'Remove or correct it: docs/reference/environment.md lists all settings.';

function meaningViolations(env: Environment): string[] {
  const violations: string[] = [];
  for (const name of ['KEYWRIGHT_PORT', 'KEYWRIGHT_METRICS_PORT'] as const) {
    if (Number(env[name] ?? 0) > 65_535) violations.push(expectedFormOf(name));
  }
  if (env.KEYWRIGHT_BASE_URL && !URL.canParse(env.KEYWRIGHT_BASE_URL))
    violations.push(expectedFormOf('KEYWRIGHT_BASE_URL'));
  violations.push(...databaseUrlViolations(env.KEYWRIGHT_DATABASE_URL));
  if (env.KEYWRIGHT_DATABASE_URL && !env.KEYWRIGHT_MASTER_KEY) {
    violations.push(
      'KEYWRIGHT_MASTER_KEY is missing: KEYWRIGHT_DATABASE_URL requires it. Create one with: openssl rand -base64 32',
    );
  }
  if (Number(env.KEYWRIGHT_WORKERS ?? 1) > 1 && !env.KEYWRIGHT_DATABASE_URL) {
    violations.push(
      'KEYWRIGHT_WORKERS is above 1, which requires a PostgreSQL server: the embedded database supports one process only. Set KEYWRIGHT_DATABASE_URL, or leave KEYWRIGHT_WORKERS at 1.',
    );
  }
  if (Boolean(env.KEYWRIGHT_ADMIN_IDENTIFIER) !== Boolean(env.KEYWRIGHT_ADMIN_SECRET)) {
    violations.push(
      'KEYWRIGHT_ADMIN_IDENTIFIER and KEYWRIGHT_ADMIN_SECRET belong together: set both, or neither.',
    );
  }
  if (env.KEYWRIGHT_ADMIN_IDENTIFIER && !parseIdentifier(env.KEYWRIGHT_ADMIN_IDENTIFIER)) {
    violations.push(expectedFormOf('KEYWRIGHT_ADMIN_IDENTIFIER'));
  }
  if (env.KEYWRIGHT_ADMIN_SECRET && env.KEYWRIGHT_ADMIN_SECRET.length < MIN_ADMIN_SECRET) {
    violations.push(expectedFormOf('KEYWRIGHT_ADMIN_SECRET'));
  }
  return violations;
}
