import { AppError } from '@keywright/contract/errors';
import type { OAuthClientId, UserId } from '@keywright/contract/ids';
import { ASSERTION_GRANT } from '@keywright/contract/records/client-grants';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import { intersectScopes, isCommonPermission } from '@keywright/contract/scopes';
import { newSessionId, randomId } from '../../../platform/crypto/ids.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import type { NoteUse } from '../../../tenancy/uses.ts';
import { findLinked } from '../../authentication/upstream-logins/index.ts';
import { type Notes, record } from '../../events/journal/index.ts';
import {
  customClaimsOf,
  type HeldUser,
  holdUser,
  insertAssertedSession,
  isGoodEnough,
} from '../../tokens/sessions/index.ts';
import type { KeyRing } from '../../tokens/signing-keys/index.ts';
import { holdConsent } from '../consents/index.ts';
import type { VerifyAssertion, Vouched } from '../identity-assertions/index.ts';
import {
  chooseTarget,
  commonScopes,
  type FindResources,
  type Resource,
  scopesAt,
} from '../resources/index.ts';
import { requireField, requireGrant } from './application-answer.ts';
import type { Application } from './application.ts';
import { noteDeniedApplication } from './audit.ts';
import { boundTo, needsKey } from './bound-to.ts';
import type { Identify } from './identify.ts';
import type { Mint } from './mint.ts';
import type { IssueToken, Refuse, TokenEndpointRequest } from './request.ts';
import { chooseScopes } from './scope.ts';

interface Dependencies {
  readonly gate: Gate;
  readonly keys: KeyRing;
  readonly identify: Identify;
  readonly verifyAssertion: VerifyAssertion;
  readonly findResources: FindResources;
  readonly mint: Mint;
  readonly notes: Notes;
  readonly noteClientUse: NoteUse<OAuthClientId>;
}

/**
 * RFC 7523 §2.1 with an identity assertion (draft-ietf-oauth-identity-assertion-authz-grant): an access token for a user
 * whom an identity provider of the tenant vouches for. Nobody is asked: the administrators of both sides have decided.
 */
export function createAssertionGrant(dependencies: Dependencies): IssueToken {
  const { identify, notes } = dependencies;
  return async (request, fail) => {
    const client = await identify.application(request, fail);
    requireGrant(client, ASSERTION_GRANT, fail);
    return redeem(dependencies, request, client, fail).catch((error: unknown) => {
      if (error instanceof AppError)
        noteDeniedApplication(notes, request, client, 'auth.assertion_redeemed', error);
      throw error;
    });
  };
}

async function redeem(
  dependencies: Dependencies,
  request: TokenEndpointRequest,
  client: Application,
  fail: Refuse,
): Promise<ClientTokenAnswer> {
  const { gate, verifyAssertion, findResources, mint, noteClientUse } = dependencies;
  const { tenant, parameters, key } = request;
  const text = parameters.assertion ?? requireField('assertion', fail);
  const vouched = await verifyAssertion(tenant, client, text, key?.jkt);
  if ('refusal' in vouched) return fail('GRANT_INVALID', { internal: vouched.refusal });
  const target = await assertedTarget(findResources, tenant, vouched, parameters.resource, fail);
  const jkt = await boundTo(key, needsKey(tenant, client, target), fail);
  const opened = await open(dependencies, request, { client, vouched, target }, fail);
  const { userId, sessionId, workspaceId, scopes, authentication, endsAt } = opened;
  const unmarked = {
    sub: userId,
    workspaceId,
    roles: [],
    scopes,
    grant: { sid: sessionId, client_id: client.id, ver: 0 },
    authentication: {
      auth_time: Math.floor(authentication.auth_time.getTime() / 1000),
      acr: authentication.acr,
      amr: [...authentication.amr],
    },
    grantEndsAt: endsAt,
    customClaims: await customClaimsOf(gate, tenant, userId),
    jkt,
  };
  const answer = await mint(tenant, unmarked, tenant.config.session_timeout, target);
  noteClientUse(tenant.id, client.id);
  return answer;
}

/** What the assertion names; what is asked for beside it has to be the same. Without either: the tenant itself. */
async function assertedTarget(
  findResources: FindResources,
  tenant: Tenant,
  { resource }: Vouched,
  asked: string | readonly string[] | undefined,
  fail: Refuse,
): Promise<Resource | undefined> {
  const uris = [asked ?? []].flat();
  if (!uris.every((uri) => uri === resource)) fail('TARGET_INVALID');
  return chooseTarget(findResources, tenant, undefined, resource, fail);
}

interface Redeemed {
  readonly client: Application;
  readonly vouched: Vouched;
  readonly target: Resource | undefined;
}

/** Opens the session of the token, which whatever ends sessions ends. There is nothing to refresh it with. */
async function open(
  { gate, keys }: Dependencies,
  request: TokenEndpointRequest,
  redeemed: Redeemed,
  fail: Refuse,
) {
  const { tenant } = request;
  const { vouched } = redeemed;
  const refuse = (internal: string) => fail('GRANT_INVALID', { internal });
  const data = gate.into(tenant.id);
  const { providerId, subject } = vouched;
  const linked = await data.transaction((tx) => findLinked(tx, providerId, subject));
  if (!linked) return refuse('user');
  const userId = linked.id;
  const authentication = authenticationOf(vouched);
  const login = { ...authentication, user_id: userId, provider_id: providerId };
  if (!(await isGoodEnough(data, tenant, login))) {
    return refuse('policy');
  }
  const { kid } = await keys.signer(tenant.id);
  const opening = { ...redeemed, userId, authentication, kid };
  return data.transaction((tx) => openWithin(tx, request, opening, fail));
}

function authenticationOf({ authTime, hasTwoFactors }: Vouched) {
  return {
    auth_time: new Date(authTime * 1000),
    acr: hasTwoFactors ? ('aal2' as const) : ('aal1' as const),
    // RFC 8176 §2: `mfa` beside the method.
    amr: hasTwoFactors ? ['fed', 'mfa'] : ['fed'],
  };
}

interface AssertedLogin extends Redeemed {
  readonly userId: UserId;
  readonly authentication: ReturnType<typeof authenticationOf>;
  /** Of the key that signs. */
  readonly kid: string;
}

async function openWithin(
  tx: TenantTx,
  { tenant, parameters, from }: TokenEndpointRequest,
  { client, vouched, target, userId, authentication, kid: refreshKid }: AssertedLogin,
  fail: Refuse,
) {
  const refuse = (internal: string) => fail('GRANT_INVALID', { internal });
  const user = (await holdUser(tx, userId)) ?? refuse('user');
  const { scopes: held, workspaceId } = user;
  if (lacksFactor(authentication, user)) refuse('second factor');
  const possible = possibleScopes(client, vouched, target, held);
  const scopes = chooseScopes(possible, parameters.scope, fail);
  if (scopes.length === 0) fail('SCOPE_INVALID', NOTHING_IN_COMMON);
  const { id: clientId } = client;
  const sessionId = newSessionId(tx.now);
  const by = { kind: 'app', subject: userId, clientId, sessionId, from } as const;
  const at = target ? [{ resourceId: target.id, scopes }] : [];
  const unasked = { details: undefined, redirectOrigin: undefined };
  const granted = { userId, clientId, scopes: target ? [] : scopes, at, ...unasked };
  if (!(await holdConsent(tx, by, granted))) refuse('consent');
  const seconds = tenant.config.session_timeout + SIGNED_WITHIN_SECONDS;
  const endsAt = new Date(tx.now.getTime() + seconds * 1000);
  const opened = { userId, workspaceId, scopes, authentication, endsAt };
  await insertAssertedSession(tx, {
    ...opened,
    id: sessionId,
    clientId,
    providerId: vouched.providerId,
    address: from.address,
    secretHash: sha256(randomId()),
    refreshKid,
  });
  const data = { user_id: userId, session_id: sessionId, workspace_id: workspaceId };
  await record(tx, by, {
    action: 'auth.assertion_redeemed',
    target: { kind: 'session', id: sessionId },
    details: {
      client_id: clientId,
      issuer: vouched.issuer,
      ...(target && { resource: target.uri }),
      scopes: [...scopes],
    },
    events: [{ type: 'session.created', data }],
  });
  return { ...opened, sessionId };
}

/**
 * A user who has a second factor here gives it at each login. Two factors at a trusted provider replace it, unless the user
 * holds scopes.
 */
function lacksFactor({ acr }: AssertedLogin['authentication'], user: HeldUser): boolean {
  return user.hasSecondFactor && (acr === 'aal1' || user.scopes.length > 0);
}

/** At most what the assertion says, the client may, the resource has, and the user holds. */
function possibleScopes(
  client: Application,
  { scopes: asserted = client.scopes }: Vouched,
  target: Resource | undefined,
  held: readonly string[],
): readonly string[] {
  const common = commonScopes(asserted, client.scopes);
  return target
    ? scopesAt(target, common, held)
    : intersectScopes(common.filter(isCommonPermission), held);
}

/** The token is signed after its session is there, and lives as long as any other one. */
const SIGNED_WITHIN_SECONDS = 60;

const NOTHING_IN_COMMON = {
  detail: 'The assertion, the application, the resource and the user have no scope in common.',
};
