import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OAuthClientId } from '@keywright/contract/ids';
import { TenantResources } from '../resources/resource-rules.ts';
import type { RequestingClient } from './authorization-request.ts';
import { checkRequest } from './request-parameters.ts';

const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const CALLBACK = 'https://app.example.com/callback';
const ISSUER = 'https://id.example.com/t/org_acme';

const WEB: RequestingClient = {
  id: 'client_01m81ehc7wfj4r8d2n6y0s5t3b' as OAuthClientId,
  kind: 'web',
  first_party: false,
  redirect_uris: [CALLBACK],
  grant_types: ['authorization_code'],
  scopes: ['openid', 'email'],
  token_endpoint_auth_method: 'client_secret_basic',
  is_active: true,
  default_max_age: null,
  require_pkce: null,
  id_token_signed_response_alg: 'RS256',
  authorization_details_types: [],
};
const SIGNING = { ...WEB, token_endpoint_auth_method: 'private_key_jwt' } as const;
const PUBLIC = { ...WEB, kind: 'spa', token_endpoint_auth_method: 'none' } as const;
const EXEMPTED = { ...WEB, require_pkce: false };
const OBLIGED = { ...WEB, require_pkce: true };

type Parameters = Readonly<Record<string, string>>;

interface Case {
  readonly client?: RequestingClient;
  readonly mustUsePkce?: boolean;
  /** Default: the scope openid, a nonce and no challenge. */
  readonly request?: Parameters;
}

/** The challenge of the request that is accepted, or the error that is reported to the client. */
function outcomeOf({ client = WEB, mustUsePkce = false, request = {} }: Case): string | undefined {
  const parameters = new URLSearchParams({
    client_id: client.id,
    redirect_uri: CALLBACK,
    response_type: 'code',
    scope: 'openid',
    nonce: 'n-0S6',
    ...request,
  });
  const tenant = { issuer: ISSUER, audience: ISSUER };
  const policy = { mustUsePkce, tenant, resources: new TenantResources([]), mustBePushed: false };
  const verdict = checkRequest(client, policy, parameters);
  if (verdict.kind === 'valid') return verdict.request.challenge ?? 'accepted without PKCE';
  return verdict.kind === 'rejected' ? verdict.rejection.error : verdict.reason;
}

const ACCEPTED: Readonly<Record<string, Case>> = {
  'a confidential client that sends the scope openid and a nonce': {},
  'a client with a key that sends the scope openid and a nonce': { client: SIGNING },
  'a confidential client that sends no scope, and so requests openid': { request: { scope: '' } },
  'an exempted client': { client: EXEMPTED, request: { scope: 'email', nonce: '' } },
};

const REFUSED: Readonly<Record<string, Case>> = {
  'a confidential client that sends no nonce': { request: { nonce: '' } },
  'a confidential client that does not request openid': { request: { scope: 'email' } },
  'a client that is not registered for openid': {
    client: { ...WEB, scopes: ['email'] },
    request: { scope: 'openid email' },
  },
  'a public client': { client: PUBLIC },
  'a public client whose record says that it is exempted': {
    client: { ...PUBLIC, require_pkce: false },
  },
  'a client that must always use it': { client: OBLIGED },
  'any client where all must use it': { mustUsePkce: true },
  'an exempted client where all must use it': { client: EXEMPTED, mustUsePkce: true },
};

describe('a request without PKCE', () => {
  for (const [title, scenario] of Object.entries(ACCEPTED)) {
    test(`A request without PKCE is accepted from ${title}`, () => {
      assert.equal(outcomeOf(scenario), 'accepted without PKCE');
    });
  }

  for (const [title, scenario] of Object.entries(REFUSED)) {
    test(`A request without PKCE is refused from ${title}`, () => {
      assert.equal(outcomeOf(scenario), 'invalid_request');
    });
  }
});

const S256 = { code_challenge: CHALLENGE, code_challenge_method: 'S256' };

describe('a code challenge', () => {
  test('A code challenge binds the code, even of a client that can omit it', () => {
    for (const client of [WEB, EXEMPTED]) {
      assert.equal(outcomeOf({ client, request: S256 }), CHALLENGE);
    }
  });

  for (const [title, change] of Object.entries({
    'without a method': { code_challenge_method: '' },
    'that is missing while a method is sent': { code_challenge: '' },
    'with the method plain': { code_challenge_method: 'plain' },
    'with the method s256': { code_challenge_method: 's256' },
    'with the method S512': { code_challenge_method: 'S512' },
    'that is too short': { code_challenge: 'short' },
    'that is too long': { code_challenge: `${CHALLENGE}A` },
    'in base64 instead of base64url': { code_challenge: CHALLENGE.replace('-', '+') },
    'with padding': { code_challenge: `${CHALLENGE.slice(1)}=` },
  })) {
    test(`A code challenge ${title} is refused, even from a client that can omit it`, () => {
      for (const client of [WEB, EXEMPTED, PUBLIC]) {
        assert.equal(outcomeOf({ client, request: { ...S256, ...change } }), 'invalid_request');
      }
    });
  }
});
