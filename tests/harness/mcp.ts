// MCP clients by the official SDKs, and users who log in to them without a browser window.

import { Client as ClientOne } from '@modelcontextprotocol/sdk/client/index.js';
import { UnauthorizedError as UnauthorizedOne } from '@modelcontextprotocol/sdk/client/auth.js';
import { StreamableHTTPClientTransport as TransportOne } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  Client as ClientTwo,
  type DpopSession,
  type OAuthClientProvider,
  StreamableHTTPClientTransport as TransportTwo,
  UnauthorizedError as UnauthorizedTwo,
} from '@modelcontextprotocol/client';

type Stored<Method extends keyof OAuthClientProvider> = NonNullable<
  Awaited<ReturnType<Extract<OAuthClientProvider[Method], () => unknown>>>
>;
type ClientInformation = Stored<'clientInformation'>;
type Tokens = Stored<'tokens'>;

export const MCP_CALLBACK = 'http://127.0.0.1:33418/callback';

export interface ProviderOptions {
  /** Opens the URL to which the client sends its user. @returns the redirect to the client */
  readonly authorize: (url: URL) => Promise<URL>;
  /** If it is registered. */
  readonly client?: ClientInformation;
  /** The address of its metadata document. */
  readonly metadataUrl?: string;
  readonly dpop?: DpopSession;
}

/** The state of an MCP client of any of the SDKs, in memory. Real clients store it in files. */
export class McpProvider {
  readonly redirectUrl = MCP_CALLBACK;
  readonly clientMetadata = {
    client_name: 'Acme Assistant',
    redirect_uris: [MCP_CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  };
  readonly clientMetadataUrl?: string;
  readonly dpop?: () => DpopSession;
  /** The URLs to which its users were sent, in order. */
  readonly sentTo: URL[] = [];
  /** The parameters of the redirect after the latest login. */
  cameBack = new URLSearchParams();
  storedTokens: Tokens | undefined;
  /** The resource's requirements for the next login (RFC 9470). */
  demand: Readonly<Record<string, string>> = {};
  #client: ClientInformation | undefined;
  #verifier = '';
  #discovered: Awaited<ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>>;
  readonly #authorize: ProviderOptions['authorize'];

  constructor({ authorize, client, metadataUrl, dpop }: ProviderOptions) {
    this.#authorize = authorize;
    this.#client = client;
    if (metadataUrl !== undefined) this.clientMetadataUrl = metadataUrl;
    if (dpop) this.dpop = () => dpop;
  }

  /**
   * Handles what the SDKs leave to applications: a login that is too old or too weak (RFC 9470), and, in version 1,
   * that a refresh does not add scopes.
   */
  readonly fetch: typeof globalThis.fetch = async (...request) => {
    const response = await globalThis.fetch(...request);
    const challenge = response.headers.get('www-authenticate') ?? '';
    if (/error="insufficient_/.test(challenge) && this.storedTokens) {
      const { refresh_token: _, ...others } = this.storedTokens;
      this.storedTokens = others;
    }
    const [, acr] = /acr_values="([^"]+)"/.exec(challenge) ?? [];
    const [, age] = /max_age=(\d+)/.exec(challenge) ?? [];
    if (acr !== undefined && age !== undefined) this.demand = { acr_values: acr, max_age: age };
    return response;
  };

  clientInformation = () => this.#client;
  saveClientInformation = (information: ClientInformation) => void (this.#client = information);
  tokens = () => this.storedTokens;
  saveTokens = (tokens: Tokens) => void (this.storedTokens = tokens);
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => void (this.#verifier = verifier);
  discoveryState = () => this.#discovered;
  saveDiscoveryState = (state: NonNullable<ReturnType<typeof this.discoveryState>>) =>
    void (this.#discovered = state);

  async redirectToAuthorization(url: URL): Promise<void> {
    for (const [name, value] of Object.entries(this.demand)) url.searchParams.set(name, value);
    this.demand = {};
    this.sentTo.push(url);
    this.cameBack = (await this.#authorize(url)).searchParams;
  }
}

/** A client that is connected to a server. */
export interface McpClient {
  readonly tools: readonly string[];
  /** Calls a tool, and logs its user in again if necessary. @returns the text of the result */
  call(tool: string, input?: Readonly<Record<string, unknown>>): Promise<string>;
  close(): Promise<void>;
}

type Connect = (url: string, provider: McpProvider) => Promise<McpClient>;

const INFO = { name: 'assistant', version: '1.0.0' };

/** Connects with version 1 of the SDK. */
export const connectOne: Connect = (url, provider) => {
  const client = new ClientOne(INFO);
  const transport = () =>
    new TransportOne(new URL(url), { authProvider: provider, fetch: provider.fetch });
  return connected<TransportOne>(client, transport, {
    isUnauthorized: (error) => error instanceof UnauthorizedOne,
    finish: (sdkTransport) => sdkTransport.finishAuth(provider.cameBack.get('code') ?? ''),
  });
};

/** Connects with version 2 of the SDK. */
export const connectTwo: Connect = (url, provider) => {
  const client = new ClientTwo(INFO);
  const transport = () =>
    new TransportTwo(new URL(url), { authProvider: provider, fetch: provider.fetch });
  return connected<TransportTwo>(client, transport, {
    isUnauthorized: (error) => UnauthorizedTwo.isInstance(error),
    finish: (sdkTransport) => sdkTransport.finishAuth(provider.cameBack),
  });
};

/** The members that both versions have in common. */
interface SdkClient<Transport> {
  connect(transport: Transport): Promise<void>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

interface Differences<Transport> {
  readonly isUnauthorized: (error: unknown) => boolean;
  readonly finish: (transport: Transport) => Promise<void>;
}

async function connected<Transport>(
  client: SdkClient<Transport>,
  newTransport: () => Transport,
  { isUnauthorized, finish }: Differences<Transport>,
): Promise<McpClient> {
  let transport = newTransport();
  const afterLogin = async <Result>(action: () => Promise<Result>, again = action) =>
    action().catch(async (error: unknown) => {
      if (!isUnauthorized(error)) throw error;
      await finish(transport);
      return again();
    });
  await afterLogin(
    () => client.connect(transport),
    () => client.connect((transport = newTransport())),
  );
  const { tools } = await client.listTools();
  return {
    tools: tools.map(({ name }) => name),
    call: async (name, input = {}) =>
      textOf(await afterLogin(() => client.callTool({ name, arguments: { ...input } }))),
    close: () => client.close(),
  };
}

function textOf(result: object): string {
  const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
  const text = content.map((block) => block.text).join('');
  if (isError) throw new Error(text);
  return text;
}
