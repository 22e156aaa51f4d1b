import { requireAddress } from '../address.ts';
import { type Fetch, globalFetch } from '../fetch.ts';
import type { Api } from '../generated/api.ts';
import { OPERATIONS } from '../generated/operations.ts';
import type { TokenAnswer } from '../generated/records.ts';
import { ApiError } from './api-error.ts';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { Listing, type Page } from './listing.ts';
import { type Call, type Operation, type Query, readArguments, toCall } from './operation.ts';
import { SecretLostError } from './secret-lost-error.ts';
import { type Answer, send, type SenderOptions } from './send.ts';
import { type TokenOption, type TokenSource, tokenSourceOf } from './tokens.ts';

/** Options of a client. Only `baseUrl` is required. */
export interface ClientOptions {
  /** The URL of the service, without the path of its routes: `https://id.example.com`. */
  readonly baseUrl: string;
  /** The tenant, `org_…`. By default, the host of the base URL selects it. */
  readonly tenant?: string;
  /** An access token or API key, a function that returns one, or the tokens of a login. */
  readonly token?: TokenOption;
  /** Allows `http:` URLs of other machines. Tokens can then be intercepted. */
  readonly allowHttp?: boolean;
  /** Timeout for a response, in seconds; default 30. */
  readonly timeoutSeconds?: number;
  /** Maximum number of retries after 429, 503 or no response; default 3. */
  readonly maxRetries?: number;
  /** The longest accepted `Retry-After`, in seconds; default 30. If the service demands more, the call fails. */
  readonly maxRetryAfterSeconds?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: Fetch;
}

/** A client of the service: every route as a method, by group. */
export type KeywrightClient = Api;

const DEFAULT_TIMEOUT_SECONDS = 30;
const DEFAULT_RETRIES = 3;
const DEFAULT_RETRY_AFTER_SECONDS = 30;

/**
 * Creates a client of the service: `client.users.create({ … })`.
 *
 * @throws TypeError for invalid options
 */
export function createClient(options: ClientOptions): KeywrightClient {
  requireAddress('baseUrl', options.baseUrl, options.allowHttp ?? false);
  const caller = new Caller(options);
  const groups = Object.entries(OPERATIONS).map(([group, operations]) => {
    const methods = Object.entries(operations).map(([name, operation]) => [
      name,
      (...args: unknown[]) => caller.call(operation, args),
    ]);
    return [group, Object.fromEntries(methods)];
  });
  // The table and the interface are generated from the same contract.
  return Object.fromEntries(groups) as KeywrightClient;
}

class Caller {
  readonly #options: SenderOptions;
  readonly #tenant: Readonly<Record<string, string>>;
  readonly #tokens: TokenSource;

  constructor(options: ClientOptions) {
    this.#options = {
      baseUrl: options.baseUrl.replace(/\/+$/, ''),
      fetch: options.fetch ?? globalFetch,
      timeoutMs: (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      maxRetries: options.maxRetries ?? DEFAULT_RETRIES,
      maxRetryAfterSeconds: options.maxRetryAfterSeconds ?? DEFAULT_RETRY_AFTER_SECONDS,
    };
    this.#tenant = options.tenant === undefined ? {} : { 'x-tenant-id': options.tenant };
    this.#tokens = tokenSourceOf(options.token, (refreshToken) => this.#refresh(refreshToken));
  }

  call(operation: Operation, args: readonly unknown[]): ApiPromise<unknown> | Listing<unknown> {
    const { path, body, query, options } = readArguments(operation, args);
    const fetchPage = (pageQuery: Query) =>
      new ApiPromise(this.#send(toCall(operation, path, body, pageQuery, options)));
    if (!operation.list) return fetchPage(query);
    return new Listing(query, fetchPage as (pageQuery: Query) => ApiPromise<Page<unknown>>);
  }

  async #send(call: Call): Promise<ApiResponse<unknown>> {
    const token = call.operation.open ? undefined : await this.#tokens.current();
    const answer = await this.#attempt(call, token);
    if (answer.status !== 401 || token === undefined) return resultOf(call, answer);
    const refusal = new ApiError(answer.status, answer.headers, answer.body);
    if (refusal.code !== 'TOKEN_INVALID') throw refusal;
    const renewed = await this.#tokens.renew(token);
    if (renewed === undefined) throw refusal;
    return resultOf(call, await this.#attempt(call, renewed));
  }

  #attempt(call: Call, token: string | undefined): Promise<Answer> {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    return send(call, { ...this.#tenant, ...headers }, this.#options);
  }

  async #refresh(refreshToken: string): Promise<TokenAnswer> {
    const operation = OPERATIONS['auth']?.['refresh'];
    if (operation === undefined) throw new Error('The contract has no route to refresh tokens.');
    const body = { refresh_token: refreshToken };
    const { data } = await this.#send(toCall(operation, operation.path, body, {}, {}));
    return data as TokenAnswer;
  }
}

function resultOf({ operation }: Call, { status, headers, body }: Answer): ApiResponse<unknown> {
  if (status < 200 || status >= 300) throw new ApiError(status, headers, body);
  const requestId = headers.get('x-request-id') ?? undefined;
  const { secret } = operation;
  // A repeated response omits the secret.
  if (secret !== undefined && !Object.hasOwn(Object(body), secret)) {
    throw new SecretLostError(secret, body, requestId);
  }
  return { data: body, status, headers, requestId };
}
