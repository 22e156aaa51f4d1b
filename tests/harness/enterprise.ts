// Two organizations, each a tenant: the enterprise, where people log in, and the chat, which trusts the enterprise's
// assertions about them.

import { ASSERTION_GRANT, EXCHANGE_GRANT } from '@keywright/contract/records/client-grants';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import type { IdentityProviderRecord } from '@keywright/contract/records/identity-provider';
import { TOKEN_TYPE } from '@keywright/contract/routes/token';
import { newClient, proofOf, UserBrowser } from './code-login.ts';
import { createUserWith } from './delegation.ts';
import { expectStatus } from './http.ts';
import { type Keywright, startKeywright } from './keywright.ts';
import { startServiceProxy } from './service-proxy.ts';
import type { TestTenant, TestUser } from './tenant.ts';
import { postToken, type TokenParameters } from './token-endpoint.ts';
import { addProvider, handoffOf, RETURN_URL, UPSTREAM_CONFIG } from './upstream.ts';

export const API = 'https://api.chat.example/';

interface Parts {
  /** Two nodes. */
  readonly keywright: Keywright;
  readonly enterprise: TestTenant;
  readonly enterpriseIssuer: string;
  readonly chat: TestTenant;
  readonly chatIssuer: string;
  /** The enterprise as an identity provider of the chat. */
  readonly provider: IdentityProviderRecord;
  /** The assistant, a client that both sides know. */
  readonly assistant: CreatedOAuthClient;
  readonly guest: CreatedOAuthClient;
  close(): Promise<void>;
}

export interface Enterprise extends Parts {
  /** A person with linked accounts on both sides. */
  newPerson(scopes?: readonly string[]): Promise<Person>;
  /** Requests the assistant's assertion from the enterprise; by default for the chat. */
  assertion(subject: string, more?: TokenParameters): ReturnType<typeof postToken>;
  /** Redeems the assistant's assertion at the chat. */
  redeem(assertion: string, more?: TokenParameters, node?: number): ReturnType<typeof postToken>;
}

export interface Person {
  readonly atEnterprise: TestUser;
  readonly atChat: TestUser;
  readonly browser: UserBrowser;
  /** Of the assistant. */
  readonly idToken: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

const SCOPE = { scope: 'openid email offline_access' };

export async function startEnterprise(): Promise<Enterprise> {
  const parts = await registerAll();
  const { enterprise, enterpriseIssuer, chat, chatIssuer, assistant, guest } = parts;
  return {
    ...parts,
    async newPerson(scopes = ['read:rooms', 'write:rooms']) {
      const atEnterprise = await enterprise.createUser();
      const atChat = await createUserWith(chat, scopes);
      const browser = new UserBrowser(enterprise, enterpriseIssuer, atEnterprise);
      const tokens = await browser.tokensFor(assistant, SCOPE);
      await link(parts, browser, atChat);
      return {
        atEnterprise,
        atChat,
        browser,
        idToken: tokens.id_token ?? '',
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? '',
      };
    },
    assertion: (subject, more = {}) =>
      postToken(enterprise, {
        grant_type: EXCHANGE_GRANT,
        ...proofOf(assistant),
        requested_token_type: TOKEN_TYPE.idJag,
        subject_token: subject,
        subject_token_type: TOKEN_TYPE.idToken,
        audience: chatIssuer,
        resource: API,
        ...more,
      }),
    redeem: (assertion, more = {}, node = 0) =>
      postToken(
        chat,
        { grant_type: ASSERTION_GRANT, ...proofOf(guest), assertion, ...more },
        { node },
      ),
  };
}

async function registerAll(): Promise<Parts> {
  // The chat calls the enterprise at the address of its issuer.
  const proxy = await startServiceProxy('');
  const env = { KEYWRIGHT_BASE_URL: proxy.url, KEYWRIGHT_EGRESS_ALLOW: '127.0.0.1' };
  const keywright = await startKeywright({ nodes: 2, env });
  proxy.service = keywright.url;
  const enterprise = await keywright.tenant('enterprise');
  const chat = await keywright.tenant('chat', { config: UPSTREAM_CONFIG });
  const enterpriseIssuer = `${proxy.url}/t/${enterprise.id}`;
  const chatIssuer = `${proxy.url}/t/${chat.id}`;
  const portal = await newClient(enterprise, { name: 'Chat', first_party: true });
  const provider = await addProvider(
    chat,
    { issuer: enterpriseIssuer, clientSecret: portal.client_secret ?? '' },
    { name: 'Enterprise', client_id: portal.id },
  );
  await change(enterprise, `/clients/${portal.id}`, { redirect_uris: [provider.callback_url] });
  await registerApi(chat);
  const guest = await newGuest(chat, [provider.id]);
  const audience = { issuer: chatIssuer, client_id: guest.id, resources: [API] };
  const assistant = await newClient(enterprise, {
    name: 'Assistant',
    grant_types: ['authorization_code', 'refresh_token', EXCHANGE_GRANT],
    identity_assertions: {
      audiences: [{ ...audience, scopes: ['chat:post', 'read:rooms', 'delete:rooms'] }],
      providers: [],
    },
  });
  const close = async () => {
    await keywright.close();
    await proxy.goDown();
  };
  return {
    keywright,
    enterprise,
    enterpriseIssuer,
    chat,
    chatIssuer,
    provider,
    assistant,
    guest,
    close,
  };
}

/** A client of the chat that can present assertions of these providers. */
export async function newGuest(
  chat: TestTenant,
  providers: readonly string[],
): Promise<CreatedOAuthClient> {
  return newClient(chat, {
    name: 'Assistant',
    grant_types: [ASSERTION_GRANT],
    redirect_uris: [],
    scopes: ['chat:post', 'read:rooms', 'write:rooms'],
    identity_assertions: { audiences: [], providers },
  });
}

/** What guests ask for. */
export async function registerApi(chat: TestTenant): Promise<void> {
  const names = ['chat:post', 'read:rooms', 'write:rooms'];
  const scopes = names.map((name) => ({ name, description: name, requires: null }));
  const options = { token: await chat.adminToken(), body: { uri: API, name: 'Chat', scopes } };
  expectStatus(201, await chat.request('POST', '/resources', options));
}

export async function change(tenant: TestTenant, path: string, body: object): Promise<void> {
  const token = await tenant.adminToken();
  expectStatus(200, await tenant.request('PATCH', path, { token, body }));
}

/** Links the account at the enterprise to the user of the chat. */
async function link(
  { chat, provider }: Parts,
  browser: UserBrowser,
  { token }: TestUser,
): Promise<void> {
  const body = { provider: provider.id, return_url: RETURN_URL };
  const answer = await chat.request('POST', '/me/identities', { token, body });
  const to = new URL(String(expectStatus(200, answer)['authorize_url']));
  const seen = await browser.open(to.pathname + to.search);
  const back = seen.redirectsTo;
  if (!back) throw new Error(`${seen.status} ${seen.title} ${seen.text}`);
  const handoff = { handoff: handoffOf(back) };
  expectStatus(200, await chat.request('POST', '/me/identities/finish', { token, body: handoff }));
}
