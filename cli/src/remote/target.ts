import { type ParsedOptions, type Option, UsageError } from '../command.ts';
import { readAddress } from './address.ts';
import { type Environment, setting } from './environment.ts';
import { type Credential, DEFAULT_PROFILE, findProfile, type Profile } from './profiles.ts';

/** The common options of remote commands. */
export const TARGET_OPTIONS = {
  profile: { value: 'NAME', help: 'a stored login; default: KEYWRIGHT_PROFILE, or "default"' },
  url: { value: 'URL', help: 'the service, instead of a profile; see "keywright help login"' },
  tenant: { value: 'ID', help: 'with --url: the tenant; default: the tenant of the host' },
  timeout: { value: 'SECONDS', help: 'total time limit; default 30' },
} as const satisfies Readonly<Record<string, Option>>;

/** A service and its credential, always from the same source. */
export interface Target {
  readonly url: string;
  readonly tenant: string | undefined;
  readonly credential: Credential;
  /** The profile that the target comes from. */
  readonly profile: string | undefined;
}

/** @throws UsageError if the service is ambiguous or has no credential */
export async function findTarget(
  options: ParsedOptions,
  environment: Environment,
): Promise<Target> {
  const place = findPlace(options, environment);
  if ('url' in place) {
    const { url, tenant } = readAddress(place.from, place.url, place.tenant);
    return { url, tenant, credential: readCredential(environment, place.from), profile: undefined };
  }
  const found = await findProfile(environment, place.profile);
  if (found) return targetOf(place.profile, found);
  throw new UsageError(
    `Unknown profile ${place.profile}. Sign in first: keywright login --url https://id.example.com ` +
      '--identifier you@example.com. Or set KEYWRIGHT_URL, and KEYWRIGHT_TOKEN or KEYWRIGHT_API_KEY.',
  );
}

function targetOf(name: string, { url, tenant, credential }: Profile): Target {
  // Validated again, because the file could have been edited.
  return { ...readAddress(`url of the profile ${name}`, url, tenant), credential, profile: name };
}

type Place =
  | { readonly profile: string }
  | { readonly from: string; readonly url: string; readonly tenant: string | undefined };

/** Options override the environment. A credential is never sent to an address from another source. */
function findPlace(options: ParsedOptions, environment: Environment): Place {
  const typed = { profile: options.get('profile'), url: options.get('url') };
  const set = {
    profile: setting(environment, 'KEYWRIGHT_PROFILE'),
    url: setting(environment, 'KEYWRIGHT_URL'),
  };
  if (typed.profile !== undefined) {
    if (typed.url !== undefined || options.has('tenant')) {
      throw new UsageError(
        'A profile names its service and tenant: omit --url and --tenant, or --profile.',
      );
    }
    return { profile: typed.profile };
  }
  const tenant = options.get('tenant') ?? setting(environment, 'KEYWRIGHT_TENANT');
  if (typed.url !== undefined) return { from: '--url', url: typed.url, tenant };
  if (set.url !== undefined && set.profile !== undefined) {
    throw new UsageError(
      'KEYWRIGHT_URL and KEYWRIGHT_PROFILE are both set: unset one, or use --profile.',
    );
  }
  if (set.url !== undefined) return { from: 'KEYWRIGHT_URL', url: set.url, tenant };
  if (options.has('tenant')) {
    throw new UsageError('--tenant needs --url or KEYWRIGHT_URL: a profile names its own tenant.');
  }
  requireNoLoneCredential(environment);
  return { profile: set.profile ?? DEFAULT_PROFILE };
}

/** Rejects a credential without a service, which would otherwise be ignored silently. */
function requireNoLoneCredential(environment: Environment): void {
  for (const name of ['KEYWRIGHT_TOKEN', 'KEYWRIGHT_API_KEY'] as const) {
    if (setting(environment, name) === undefined) continue;
    throw new UsageError(
      `${name} is set, but KEYWRIGHT_URL is not: set it to the service of the credential, or use --profile.`,
    );
  }
}

function readCredential(environment: Environment, from: string): Credential {
  const token = setting(environment, 'KEYWRIGHT_TOKEN');
  const key = setting(environment, 'KEYWRIGHT_API_KEY');
  if (token !== undefined && key !== undefined) {
    throw new UsageError('KEYWRIGHT_TOKEN and KEYWRIGHT_API_KEY are both set: unset one.');
  }
  if (token !== undefined) return { kind: 'token', token: requireHeader('KEYWRIGHT_TOKEN', token) };
  if (key !== undefined) return { kind: 'api-key', token: requireHeader('KEYWRIGHT_API_KEY', key) };
  throw new UsageError(
    `${from} needs a credential: set KEYWRIGHT_TOKEN or KEYWRIGHT_API_KEY, or sign in and use a profile.`,
  );
}

/** @throws UsageError, without the value, if the credential is not a valid header value */
export function requireHeader(name: string, token: string): string {
  const trimmed = token.trim();
  if (/^[\x21-\x7e]{1,8192}$/.test(trimmed)) return trimmed;
  throw new UsageError(
    `Expected ${name} to be an access token or an API key: printable ASCII without spaces.`,
  );
}
