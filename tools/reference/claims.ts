import { AccessTokenClaims, RESERVED_CLAIMS, TOKEN_TYP } from '@keywright/contract/claims';
import { typesOf, type RequestSchema } from '@keywright/contract/expectation';
import { Userinfo } from '@keywright/contract/routes/userinfo';
import type { OPENID_SCOPES } from '@keywright/contract/scopes';
import { SET_TYP } from '@keywright/contract/signals';
import { originOf, USER_CLAIMS } from '../../server/src/modules/oauth/id-tokens/index.ts';
import { code, page, table } from './markdown.ts';
import {
  ACCESS_TOKEN,
  type ClaimRow,
  ID_TOKEN,
  IDENTITY_ASSERTION,
  INTROSPECTION,
  LOGOUT_TOKEN,
  REFRESH_TOKEN,
  SECURITY_EVENT,
  STATUS_CHANGE,
  STATUS_LIST,
} from './token-claims.ts';

interface Claim extends RequestSchema {
  readonly description?: string;
}

/** The claims of each kind of token, for the tests. */
export const CLAIMS = {
  access: accessTokenClaims(),
  id: [...ID_TOKEN, ...userClaims()],
  refresh: REFRESH_TOKEN,
  userinfo: userinfoClaims(),
  logout: LOGOUT_TOKEN,
  event: SECURITY_EVENT,
  list: STATUS_LIST,
  change: STATUS_CHANGE,
} as const satisfies Readonly<Record<string, readonly ClaimRow[]>>;

/** Returns the claims of every kind of token that the service issues. */
export function claimsPage(): string {
  return page('Claims', [
    'The claims of the tokens that the service issues. A claim without a condition is always present. Ignore claims that you do not know: later versions can add more.',
    ...section('Access tokens', TOKEN_TYP.access, CLAIMS.access, [
      'Users, agents and applications call the API and your services with them. [Verify tokens](../guide/verifying-tokens.md) describes the checks. Tokens for a [resource](../guide/resources.md) have the same claims; its settings determine `typ` and the algorithm.',
      `[\`custom_claims\`](settings.md#custom_claims) adds claims to the access tokens of users. These names are reserved: ${[...RESERVED_CLAIMS].toSorted().map(code).join(', ')}.`,
    ]),
    ...section('ID tokens', 'JWT', ID_TOKEN, [
      'Applications get an ID token with the scope `openid`. It is valid for ten minutes.',
      'It also contains the [claims of userinfo](#userinfo) for the granted scopes, if `id_token_claims` of the application is on, and the claims that the application requested by name for the ID token.',
    ]),
    ...section('Userinfo', undefined, CLAIMS.userinfo, [
      'For the access token of an application with the scope `openid`. If the application registered an algorithm for userinfo, the response is a JWT, also with `iss` and `aud`.',
    ]),
    ...section('Refresh tokens', TOKEN_TYP.refresh, REFRESH_TOKEN, [
      'The refresh token of a direct login is a JWT. Those of applications are opaque, and start with `rft_`. Only the service reads them: their contents can change.',
    ]),
    ...section('Logout tokens', 'logout+jwt', LOGOUT_TOKEN, [
      'Sent to the `backchannel_logout_uri` of an application when a session ends. [Sign out](../guide/log-out.md) describes how to receive them.',
    ]),
    ...section('Security event tokens', SET_TYP, SECURITY_EVENT, [
      'Sent to receivers of [shared signals](../guide/shared-signals.md). They have neither `exp` nor `sub`, so that they cannot pass for another kind of token.',
    ]),
    ...section('Status list tokens', 'statuslist+jwt', STATUS_LIST, [
      'Published at `status.status_list.uri` of an access token. [Revocation](../guide/revocation.md) describes how to use them.',
    ]),
    ...section('Status changes', 'statusdelta+jwt', STATUS_CHANGE, [
      'The events of the stream of revocations: `status`, `reset` and `closed`.',
    ]),
    ...section('Identity assertions', 'oauth-id-jag+jwt', IDENTITY_ASSERTION, [
      'Issued to an application for another authorization server. See [Identity assertions](../guide/identity-assertions.md).',
    ]),
    ...section('Introspection responses', 'token-introspection+jwt', INTROSPECTION, [
      'The response to an introspection request with `Accept: application/token-introspection+jwt`.',
    ]),
  ]);
}

function section(
  title: string,
  typ: string | undefined,
  claims: readonly ClaimRow[],
  texts: readonly string[],
): string[] {
  const rows = claims.map(([name, type, meaning, present, source]) => [
    code(name),
    type,
    meaning,
    present === '' ? 'always' : present,
    source,
  ]);
  return [
    `## ${title}`,
    ...(typ === undefined ? [] : [`Header \`typ\`: ${code(typ)}`]),
    ...texts,
    table(['Claim', 'Type', 'Meaning', 'Present', 'Source'], rows),
  ];
}

function accessTokenClaims(): ClaimRow[] {
  return Object.entries(AccessTokenClaims.properties).map(([name, schema]) => {
    const [present, source] = ACCESS_TOKEN[name] ?? [];
    if (present === undefined || source === undefined) {
      throw new Error(`Describe the claim ${name} in ACCESS_TOKEN.`);
    }
    return [name, typeOf(schema), meaningOf(name, schema), present, source];
  });
}

function userinfoClaims(): ClaimRow[] {
  return Object.entries(Userinfo.properties).map(([name, schema]) => [
    name,
    typeOf(schema),
    meaningOf(name, schema),
    name === 'sub' ? '' : `with ${code(scopeOfClaim(name))}, ${presenceOf(name)}`,
    'OpenID Connect Core §5.1',
  ]);
}

/** The claims about users, which ID tokens can also have. */
function userClaims(): ClaimRow[] {
  return userinfoClaims().filter(([name]) => USER_CLAIMS.includes(name));
}

function presenceOf(name: string): string {
  if (originOf(name) === 'metadata') return 'if the metadata of the user contains it';
  return name === 'updated_at' ? 'always' : 'if the user has one';
}

function scopeOfClaim(name: string): (typeof OPENID_SCOPES)[number] {
  if (originOf(name) !== 'identifier') return 'profile';
  return name.startsWith('email') ? 'email' : 'phone';
}

function typeOf(schema: object): string {
  const claim: Claim = schema;
  const [type = 'string'] = typesOf(claim);
  return type === 'array' ? `array of ${typesOf(claim.items ?? {})[0] ?? 'string'}s` : type;
}

function meaningOf(name: string, schema: object): string {
  const { description }: Claim = schema;
  if (description === undefined) throw new Error(`The claim ${name} has no description.`);
  return description;
}
