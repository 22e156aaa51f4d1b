import { BlockList, isIP } from 'node:net';
import { DEFAULT_TENANT } from '@keywright/contract/ids';
import type { OkOf } from '@keywright/contract/route';
import { getKeySet } from '@keywright/contract/routes/key-set';
import { health } from '@keywright/contract/routes/service';
import { type Config, ConfigError } from '../../../platform/config.ts';
import { explainListenFailure, findListenFailure } from '../../../platform/http/listen.ts';
import { codeOf, reasonOf } from '../../../platform/reason.ts';
import {
  type CheckResult,
  DATABASE_CHECKS,
  type DatabaseCheck,
  type Finding,
  KEY_CHECKS,
  fine,
  lookAtSchema,
  lookAtServer,
  resultOf,
  wrong,
} from './doctor-checks.ts';
import { listPublishableKeys } from './operator-store.ts';
import { ACTOR, type Operator, describeFailure } from './operator.ts';

/** `unreachable` and `in_use`: why the database could not be checked. */
export interface Report {
  readonly verdict: 'healthy' | 'findings' | 'unreachable' | 'in_use';
  readonly checks: readonly CheckResult[];
}

/** Opens the database for the duration of `work`. */
export type WithOperator = <T>(work: (operator: Operator) => Promise<T>) => Promise<T>;

interface DatabaseReport {
  readonly checks: readonly CheckResult[];
  readonly keyIds?: readonly string[];
  readonly closedBecause?: 'unreachable' | 'in_use';
}

/** Checks everything on which an installation depends, and changes nothing. */
export async function examine(
  config: Config | ConfigError,
  withOperator: WithOperator,
): Promise<Report> {
  if (config instanceof ConfigError) return reportOfEnvironment(config);
  const { checks, keyIds, closedBecause } = await examineDatabase(withOperator);
  const all = [
    ...checks,
    resultOf('base URL', await lookAtBaseUrl(config, keyIds)),
    resultOf('proxies', await lookAtProxies(config)),
    resultOf('port', await lookAtPort(config, keyIds)),
  ];
  const hasFindings = all.some((check) => check.state === 'finding');
  return { verdict: closedBecause ?? (hasFindings ? 'findings' : 'healthy'), checks: all };
}

function reportOfEnvironment({ violations }: ConfigError): Report {
  const advice = 'Fix these settings; nothing else was checked.';
  return {
    verdict: 'findings',
    checks: [resultOf('environment', wrong(violations.join(' '), advice))],
  };
}

async function examineDatabase(withOperator: WithOperator): Promise<DatabaseReport> {
  try {
    return await withOperator(examineOpenDatabase);
  } catch (error) {
    return reportOfClosed(error);
  }
}

async function examineOpenDatabase(operator: Operator): Promise<DatabaseReport> {
  const server = await look({ name: 'database', look: lookAtServer }, operator);
  const schema = await look({ name: 'migrations', look: lookAtSchema }, operator);
  const checks: CheckResult[] = [server, schema];
  if (schema.state !== 'ok') {
    return { checks: [...checks, ...skipped('the schema does not match this version')] };
  }
  for (const check of ALL_CHECKS) checks.push(await look(check, operator));
  const keyIds = await operator.system
    .run(ACTOR, 'look at the published keys', listPublishableKeys)
    .catch(() => undefined);
  return { checks, ...(keyIds ? { keyIds } : {}) };
}

const ALL_CHECKS: readonly DatabaseCheck[] = [...DATABASE_CHECKS, ...KEY_CHECKS];

/** Reports a check that fails to run as a finding; later checks still run. */
async function look(check: DatabaseCheck, operator: Operator): Promise<CheckResult> {
  try {
    return resultOf(check.name, await check.look(operator));
  } catch (error) {
    const says = `could not be checked: ${reasonOf(error)}`;
    return resultOf(check.name, wrong(says, 'Fix the findings above this one first.'));
  }
}

function skipped(why: string): CheckResult[] {
  return ALL_CHECKS.map(({ name }) => ({
    name,
    state: 'skipped',
    says: `not checked: ${why}`,
  }));
}

const ADVICE: Readonly<Record<string, string>> = {
  UNREACHABLE: 'Check that the server is running, and check KEYWRIGHT_DATABASE_URL.',
  SETTINGS_UNUSABLE: 'Run these statements, or correct the configuration of the server.',
  IN_USE:
    'Stop the service to check its database. A PostgreSQL database can be checked while the service runs.',
  NO_DATABASE: 'Run "keywright serve" or "keywright migrate", or set KEYWRIGHT_DATABASE_URL.',
};

function reportOfClosed(error: unknown): DatabaseReport {
  const { code, message } = describeFailure(error);
  const advice = ADVICE[code] ?? 'Check the database.';
  const checks = [
    resultOf('database', wrong(message, advice)),
    {
      name: 'migrations',
      state: 'skipped',
      says: 'not checked: the database could not be opened',
    } as const,
    ...skipped('the database could not be opened'),
  ];
  if (code === 'UNREACHABLE') return { checks, closedBecause: 'unreachable' };
  if (code === 'IN_USE') return { checks, closedBecause: 'in_use' };
  return { checks };
}

/** Key IDs of the default tenant; undefined if the database is unavailable. */
type KeyIds = readonly string[] | undefined;

/** Checks the public address of the service, which is the issuer in every token. */
async function lookAtBaseUrl(config: Config, keyIds: KeyIds): Promise<Finding> {
  const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`;
  const { protocol, hostname } = new URL(baseUrl);
  if (config.baseUrl === undefined && !isLocalhost(config.host)) {
    return wrong(
      `not set, so tokens would name ${baseUrl} as their issuer`,
      'Set KEYWRIGHT_BASE_URL to the public URL, such as https://id.example.com.',
    );
  }
  if (protocol !== 'https:' && !isLocalhost(hostname)) {
    return wrong(
      `${baseUrl} is not https: tokens and passwords would be sent over the network unencrypted`,
      'Put a TLS proxy in front of the service, and set KEYWRIGHT_BASE_URL to its URL.',
    );
  }
  return config.baseUrl === undefined && config.port === 0
    ? fine('http://localhost, on any free port')
    : lookAtKeySet(baseUrl, keyIds);
}

async function lookAtKeySet(baseUrl: string, keyIds: KeyIds): Promise<Finding> {
  const answer = await fetchKeySet(baseUrl, false);
  switch (answer.kind) {
    case 'not there':
      return fine(`${baseUrl} (not reachable from this machine now)`);
    case 'broken':
      return wrong(
        `${baseUrl} does not return the key set: ${answer.reason}`,
        'Check the certificate and the routing of the proxy: verifiers fetch the keys there.',
      );
    case 'refused':
      return wrong(
        `${baseUrl} returns ${`${answer.status} ${answer.code}`.trim()} instead of the key set`,
        answer.code === 'TENANT_NOT_FOUND'
          ? 'Add its host name to the domains of org_default, and make the proxy forward the Host header.'
          : 'Check the service at this URL, and the proxy in front of it.',
      );
    case 'keys':
      return isOurs(answer.ids, keyIds)
        ? fine(`${baseUrl}, which returns the key set`)
        : wrong(
            `${baseUrl} publishes the keys of another tenant or installation`,
            'Add its host name to the domains of org_default, and check that the proxy forwards to this service.',
          );
  }
}

function isOurs(ids: readonly string[], keyIds: KeyIds): boolean {
  return keyIds === undefined || ids.some((id) => keyIds.includes(id));
}

/**
 * Checks the trusted proxies. The service speaks only HTTP, so an https address implies a proxy. A running service
 * also reports an untrusted proxy.
 */
async function lookAtProxies({ baseUrl, host, port, trustedProxies }: Config): Promise<Finding> {
  const areSet = trustedProxies.rules.length > 0;
  const isBehindProxy = baseUrl?.startsWith('https:') === true && !isPublicAddress(host);
  if (isBehindProxy && !areSet) {
    return wrong(
      'the base URL is https, so there is a proxy, but no proxy is trusted: all clients have its IP address',
      'Set KEYWRIGHT_TRUSTED_PROXIES to the IP addresses of the proxies, such as 10.0.0.0/8.',
    );
  }
  const problems = port === 0 ? [] : await fetchProblems(`http://${reachedAt(host)}:${port}`);
  if (problems.some(({ code }) => code === 'untrusted_proxy')) {
    return wrong(
      'requests come through an internal proxy that is not trusted: all its clients share one IP address and its limits',
      'Add the IP address of the proxy, which is in the log of the service, to KEYWRIGHT_TRUSTED_PROXIES.',
    );
  }
  return fine(areSet ? 'trusted proxies are set' : 'no proxy is trusted, and none is expected');
}

/** Checks whether the service listens on its port, or could. */
async function lookAtPort({ host, port }: Config, keyIds: KeyIds): Promise<Finding> {
  if (port === 0) return fine('any free port');
  const failure = await findListenFailure(host, port);
  if (failure === undefined) return fine(`${host}:${port} is free`);
  const { says, advice } = explainListenFailure(host, port, failure);
  if (failure !== 'EADDRINUSE') return wrong(says, advice);
  const answer = await fetchKeySet(`http://${reachedAt(host)}:${port}`, true);
  if (answer.kind === 'keys' && isOurs(answer.ids, keyIds)) {
    return fine(`${host}:${port} is served by this service`);
  }
  return wrong(says, advice);
}

/** Addresses that are unreachable from outside (RFC 6890), and unspecified ones. */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 32],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');
}

/** Whether a listening address is reachable from the internet. A name never counts. */
function isPublicAddress(host: string): boolean {
  const version = isIP(host);
  return version !== 0 && !NOT_PUBLIC.check(host, version === 6 ? 'ipv6' : 'ipv4');
}

/** Whether a host name in a URL means the machine itself (RFC 6761 §6.3). */
function isLocalhost(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname === '::1' ||
    (isIP(hostname) === 4 && hostname.startsWith('127.'))
  );
}

/** Returns the host, as in a URL, at which this machine reaches a listener on `host`. */
function reachedAt(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return isIP(host) === 6 ? `[${host}]` : host;
}

const PATIENCE_MS = 3000;

/** Errors of an unreachable address: names that do not resolve, closed ports, lost packets. */
const NOT_THERE =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|UND_ERR_SOCKET)$/;

/** The response of an address to a request for the key set. */
type KeySetAnswer =
  | { readonly kind: 'keys'; readonly ids: readonly string[] }
  | { readonly kind: 'refused'; readonly status: number; readonly code: string }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'not there' };

/** @param named whether the request names the default tenant; otherwise the host must select it */
async function fetchKeySet(baseUrl: string, named: boolean): Promise<KeySetAnswer> {
  try {
    const response = await fetch(baseUrl + getKeySet.path, {
      headers: named ? { 'x-tenant-id': DEFAULT_TENANT } : {},
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return readAnswer(response.status, await response.text());
  } catch (error) {
    return failureOf(error);
  }
}

type Problems = NonNullable<OkOf<typeof health>['problems']>;

/** Returns the problems that a service running at this address reports; none if no service runs there. */
async function fetchProblems(address: string): Promise<Problems> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(address + health.path, { redirect: 'manual', signal });
    const { problems } = (parse(await response.text()) ?? {}) as { problems?: Problems };
    return Array.isArray(problems) ? problems : [];
  } catch {
    return [];
  }
}

function readAnswer(status: number, text: string): KeySetAnswer {
  const body = parse(text) as { keys?: { kid: string }[]; code?: string } | undefined;
  if (status !== 200) return { kind: 'refused', status, code: body?.code ?? '' };
  if (!Array.isArray(body?.keys))
    return { kind: 'broken', reason: 'the response is not a key set' };
  return { kind: 'keys', ids: body.keys.map((key) => key.kid) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function failureOf(error: unknown): KeySetAnswer {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(cause);
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  const isGone =
    isLate ||
    NOT_THERE.test(code) ||
    (cause instanceof AggregateError &&
      cause.errors.every((reason) => NOT_THERE.test(codeOf(reason))));
  return isGone
    ? { kind: 'not there' }
    : { kind: 'broken', reason: code || 'the response is not HTTP' };
}
