import type { CallOptions } from '../../../sdk/src/client/operation.ts';
import type { KeywrightClient } from '../../../sdk/src/client/client.ts';
import type { TokenOption } from '../../../sdk/src/client/tokens.ts';
import { type Context, type ParsedOptions, UsageError } from '../command.ts';
import { boundedFetch, UnexpectedAnswerError } from './bounded-fetch.ts';
import { failureOf } from './failure.ts';
import { findProfile, writeProfile } from './profiles.ts';
import { findTarget, type Target } from './target.ts';

const DEFAULT_TIMEOUT_SECONDS = 30;
const MAX_TIMEOUT_SECONDS = 3600;
const RETRIES = 2;

/** A client of a service, and the options of each of its calls. */
export interface Connection {
  readonly client: KeywrightClient;
  readonly call: CallOptions;
}

interface Service {
  readonly url: string;
  readonly tenant: string | undefined;
  readonly profile?: string | undefined;
}

/** Calls a service, with a time limit. @throws CommandError that explains the failure */
export async function onService<Result>(
  service: Service,
  token: TokenOption | undefined,
  options: ParsedOptions,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const seconds = readTimeout(options);
  // Imported only by remote commands.
  const { createClient } = await import('../../../sdk/src/client/client.ts');
  const client = createClient({
    baseUrl: service.url,
    ...(service.tenant === undefined ? {} : { tenant: service.tenant }),
    ...(token === undefined ? {} : { token }),
    timeoutSeconds: seconds,
    maxRetries: RETRIES,
    maxRetryAfterSeconds: seconds,
    fetch: boundedFetch,
  });
  const controller = new AbortController();
  // The timer also keeps the process alive while the client waits for a retry.
  const timer = setTimeout(() => controller.abort(), seconds * 1000);
  try {
    return await work({ client, call: { signal: controller.signal } });
  } catch (error) {
    throw failureOf(error, {
      ...service,
      seconds: controller.signal.aborted ? seconds : undefined,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Calls the service with the credential from the options, the environment or a profile. */
export async function onTarget<Result>(
  options: ParsedOptions,
  { environment }: Context,
  work: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const target = await findTarget(options, environment);
  return onService(target, tokenOf(target, environment), options, work);
}

/** The tokens of a login are refreshed on demand; the new tokens are stored before use. */
function tokenOf(
  { credential, profile }: Target,
  environment: Context['environment'],
): TokenOption {
  if (credential.kind !== 'login') return credential.token;
  return {
    access_token: credential.access_token,
    refresh_token: credential.refresh_token,
    onRefresh: async ({ access_token, refresh_token }) => {
      const stored = profile === undefined ? undefined : await findProfile(environment, profile);
      // A concurrent logout could have deleted the profile.
      if (profile === undefined || stored?.credential.kind !== 'login') return;
      const renewed = { ...stored.credential, access_token, refresh_token };
      await writeProfile(environment, profile, { ...stored, credential: renewed });
    },
  };
}

/** @throws UnexpectedAnswerError if the response is not a page of a list */
export function requirePage<
  Page extends { readonly items: readonly unknown[]; readonly meta: object },
>(page: Page): Page {
  const { items, meta } = Object(page) as Partial<Page>;
  if (Array.isArray(items) && typeof meta === 'object' && meta !== null) return page;
  throw new UnexpectedAnswerError();
}

function readTimeout(options: ParsedOptions): number {
  const text = options.get('timeout');
  if (text === undefined) return DEFAULT_TIMEOUT_SECONDS;
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS) return seconds;
  throw new UsageError(`--timeout must be a number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}.`);
}
