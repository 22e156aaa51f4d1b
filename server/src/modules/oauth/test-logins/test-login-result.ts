import { randomBytes } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import type { AuditDetails } from '@keywright/contract/records/audit-entry';
import type { ClientTokenAnswer } from '@keywright/contract/records/tokens';
import type { QueryOf } from '@keywright/contract/route';
import type { finishTestLogin } from '@keywright/contract/routes/test-logins';
import { GRANT_TYPE } from '@keywright/contract/routes/token';
import { getUserinfo } from '@keywright/contract/routes/userinfo';
import { missingScopes } from '@keywright/contract/scopes';
import type { Clock } from '../../../platform/clock.ts';
import { parseJsonObject } from '../../../platform/crypto/jws.ts';
import { sha256 } from '../../../platform/crypto/sealed.ts';
import { OtherFormat, Page } from '../../../platform/http/replies.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { type Tenant, pathAtIssuer } from '../../../tenancy/tenant.ts';
import type { Look } from '../../branding/brand/index.ts';
import { record } from '../../events/journal/index.ts';
import { findUsableRolesOf } from '../../identity/users/index.ts';
import type { ProvenKey } from '../../tokens/access-tokens/index.ts';
import { type Clients, type LoadedClient, isFapi2Client, requireOAuth } from '../clients/index.ts';
import type { AuthorizationCode, AuthorizationCodes } from '../grants/index.ts';
import type { GrantRedemption, UserinfoService } from '../token-endpoint/index.ts';
import { TESTING_SCOPE, challengeOf } from './test-login-start.ts';
import { type Claims, failedTestView, testedView } from './test-login-view.ts';
import type { OpenedTest, SealedTests } from './test-login.ts';

const MAX_SESSION_SECONDS = 10 * 60;

interface ResultRequest {
  readonly tenant: Tenant;
  readonly query: QueryOf<typeof finishTestLogin>;
  readonly flow: string | undefined;
  readonly from: Origin;
  readonly look: Look;
}

type ResultFail = Fail<'FORM_TOO_OLD' | 'OAUTH_OFF'>;

/** Redeems the codes of test logins, and shows the tokens once. They are not stored. */
export class TestLoginResults {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #clients: Clients;
  readonly #codes: AuthorizationCodes;
  readonly #redemption: GrantRedemption;
  readonly #userinfo: UserinfoService;
  readonly #tests: SealedTests;

  constructor(
    { gate, clock }: { readonly gate: Gate; readonly clock: Clock },
    clients: Clients,
    codes: AuthorizationCodes,
    redemption: GrantRedemption,
    userinfo: UserinfoService,
    tests: SealedTests,
  ) {
    this.#gate = gate;
    this.#clock = clock;
    this.#clients = clients;
    this.#codes = codes;
    this.#redemption = redemption;
    this.#userinfo = userinfo;
    this.#tests = tests;
  }

  async show(request: ResultRequest, fail: ResultFail): Promise<Page> {
    const { tenant, query, flow, from, look } = request;
    requireOAuth(tenant, fail);
    const { state, code: text, error = 'invalid_request', error_description: detail } = query;
    const opened = flow && (await this.#tests.open(tenant, state, flow));
    const test = opened || fail('FORM_TOO_OLD');
    if (!(await this.#mayStillTest(tenant, test))) return fail('FORM_TOO_OLD');
    const client = (await this.#clients.find(tenant.id, test.clientId)) ?? fail('FORM_TOO_OLD');
    const back = `/console/t/${tenant.id}/clients/${client.id}`;
    const page = { look, client: client.name, requested: test.requested, back };
    if (text === undefined) {
      if (!(await this.#tests.take(tenant, 'result', test))) return fail('FORM_TOO_OLD');
      await this.#record(tenant, test, from, { reason: error });
      return new Page(failedTestView({ ...page, error, detail }));
    }
    const code = await this.#readCode(tenant, test, text);
    if (!code || !(await this.#tests.take(tenant, 'result', test))) return fail('FORM_TOO_OLD');
    const codeHash = sha256(text);
    const tokens = await this.#redeem(tenant, client, { ...code, codeHash }, from, fail);
    const { access_token: accessToken, id_token: idToken, token_type: type } = tokens;
    const accessClaims = claimsIn(accessToken);
    const { sid } = accessClaims;
    await this.#record(tenant, test, from, { user_id: code.userId, session_id: sid });
    const isReadable = type === 'Bearer' && code.scopes.includes('openid');
    return new Page(
      testedView({
        ...page,
        granted: code.scopes,
        accessToken: { text: accessToken, claims: accessClaims },
        idToken: idToken === undefined ? undefined : { text: idToken, claims: claimsIn(idToken) },
        userinfo: isReadable ? await this.#readUserinfo(tenant, accessToken, fail) : undefined,
        userinfoUrl: new URL(pathAtIssuer(tenant, getUserinfo.path), tenant.issuer).href,
        minutes: Math.ceil(tokens.expires_in / 60),
      }),
    );
  }

  /** Whether the administrator is still active and holds the permission: another user may log in to the test after that. */
  async #mayStillTest({ id }: Tenant, { by: { userId } }: OpenedTest): Promise<boolean> {
    const roles = await this.#gate.into(id).transaction((tx) => findUsableRolesOf(tx, userId));
    const scopes = roles.flatMap((role) => role.scopes);
    return missingScopes(scopes, [TESTING_SCOPE]).length === 0;
  }

  /** @returns undefined unless the code was issued to this test */
  async #readCode(
    { id }: Tenant,
    { id: testId, clientId, verifier }: OpenedTest,
    text: string,
  ): Promise<AuthorizationCode | undefined> {
    const code = await this.#codes.read(id, text, this.#clock.now());
    const isOfTest = code?.test === testId && code.clientId === clientId;
    return isOfTest && code.challenge === challengeOf(verifier) ? code : undefined;
  }

  async #redeem(
    tenant: Tenant,
    client: LoadedClient,
    code: AuthorizationCode & { readonly codeHash: Buffer },
    from: Origin,
    fail: ResultFail,
  ): Promise<ClientTokenAnswer> {
    const refuse = () => fail('FORM_TOO_OLD');
    const parameters = { grant_type: GRANT_TYPE.authorizationCode };
    const key = needsKey(tenant, client) ? discardedKey() : undefined;
    const request = { tenant: shortLived(tenant), parameters, authorization: undefined, from, key };
    const tokens = await this.#redemption.redeem(request, withoutRefresh(client), code, refuse);
    return tokens === 'stale' ? refuse() : tokens;
  }

  async #readUserinfo(tenant: Tenant, token: string, fail: ResultFail): Promise<Claims> {
    const credential = { token, scheme: 'bearer', proof: undefined } as const;
    const response = await this.#userinfo.read(tenant, credential, () => fail('FORM_TOO_OLD'));
    const isSigned = response instanceof OtherFormat;
    return isSigned ? claimsIn(response.text) : (JSON.parse(response.text) as Claims);
  }

  /** The session of the tokens is in the entry, so that it can be recognized as a test. */
  #record(
    { id: tenantId }: Tenant,
    { clientId, by: { userId, sessionId } }: OpenedTest,
    from: Origin,
    details: AuditDetails,
  ): Promise<void> {
    const by = { kind: 'user', subject: userId, sessionId, from } as const;
    return this.#gate.into(tenantId).transaction((tx) =>
      record(tx, by, {
        action: 'client.tested',
        target: { kind: 'client', id: clientId },
        outcome: details.reason === undefined ? 'success' : 'failure',
        details,
        events: [],
      }),
    );
  }
}

/** Ends the session of the tokens soon. */
function shortLived(tenant: Tenant): Tenant {
  const { config } = tenant;
  const session_timeout = Math.min(config.session_timeout, MAX_SESSION_SECONDS);
  return { ...tenant, config: { ...config, session_timeout } };
}

/** A test gets no refresh token. */
function withoutRefresh(client: LoadedClient): LoadedClient {
  return { ...client, grant_types: ['authorization_code'] };
}

function needsKey(tenant: Tenant, client: LoadedClient): boolean {
  return client.dpop_bound_access_tokens || isFapi2Client(tenant, client);
}

/** The thumbprint of a key that no one has: its token can be looked at, but not used. */
function discardedKey(): ProvenKey {
  return { jkt: randomBytes(32).toString('base64url'), requireUnused: () => Promise.resolve() };
}

function claimsIn(token: string): Claims {
  const [, payload = ''] = token.split('.', 2);
  return parseJsonObject(payload) ?? {};
}
