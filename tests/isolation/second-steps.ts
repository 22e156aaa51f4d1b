// Attacks with the result of a route: the holder of a scope accepts an invitation, and opens a client in browsers.

import assert from 'node:assert/strict';
import type { CreatedOAuthClient } from '@keywright/contract/records/oauth-client';
import { newClient, redeem, requestOf, UserBrowser } from '../harness/code-login.ts';
import { newIdentifier, newPassword } from '../harness/credentials.ts';
import { type Answer, type JsonBody, expectStatus } from '../harness/http.ts';
import { flowStep, openInvitation } from '../harness/invitations.ts';
import type { TestUser } from '../harness/tenant.ts';
import type { World } from './world.ts';

/** The attacker's redirect URI. */
export const EVIL = 'https://evil.example/callback';

interface People {
  /** Signed in to the tenant, in a browser where the attacker can open URLs. */
  readonly victim: TestUser;
  readonly attacker: TestUser;
}

export interface SecondSteps {
  /** A client with a scope that the victim has approved. */
  readonly approved: CreatedOAuthClient;
  /** Uses a response that the holder received. @returns the further responses */
  follow(answer: Answer<JsonBody>): Promise<readonly Answer<JsonBody>[]>;
  /** An administrator invites the attacker with these roles. @returns the acceptance */
  invite(roles: readonly string[]): Promise<() => Promise<Answer<JsonBody>>>;
}

export async function openSecondSteps(
  { keywright, local: side }: World,
  { victim, attacker }: People,
): Promise<SecondSteps> {
  const { tenant } = side;
  const issuer = `https://id.example.com/t/${tenant.id}`;
  const headers = { 'x-forwarded-proto': 'https' };
  const [signedIn, attacking] = [victim, attacker].map(
    (user) => new UserBrowser(tenant, issuer, user, headers),
  ) as [UserBrowser, UserBrowser];
  const approved = await newClient(tenant, { scopes: ['openid', 'read:users'] });
  await signedIn.codeFor(approved, { scope: approved.scopes.join(' ') });

  /** Accepts an invitation: a caller who can invite can invite their own address. */
  async function accept(id: string): Promise<Answer<JsonBody>> {
    const started = await openInvitation(tenant, await side.tokenOf(id));
    if (started.status !== 201) return started;
    const chosen = { secret: newPassword() };
    return flowStep(tenant, started.body, 'new-password', chosen);
  }

  /** The attacker grants all consents. The victim opens the authorization URL and grants none. */
  async function authorize(client: CreatedOAuthClient): Promise<readonly Answer<JsonBody>[]> {
    if (!client.redirect_uris.includes(EVIL)) return [];
    const request = requestOf(client, { redirect_uri: EVIL, scope: client.scopes.join(' ') });
    const seen = [await attacking.goThrough(request), await signedIn.authorize(request)];
    const codes = seen.map(({ redirectsTo }) => redirectsTo?.searchParams.get('code'));
    assert.ok(codes[0], 'the attacker did not get through authorize');
    // With write:clients, the holder can create another secret of the approved client.
    const withSecret = { ...client, client_secret: client.client_secret ?? approved.client_secret };
    const answers: Answer<JsonBody>[] = [];
    for (const code of codes.filter((candidate) => typeof candidate === 'string')) {
      answers.push(
        await redeem(tenant, withSecret as CreatedOAuthClient, code, { redirect_uri: EVIL }),
      );
    }
    return answers;
  }

  return {
    approved,
    async follow({ status, body }) {
      if (status >= 300 || typeof body['id'] !== 'string') return [];
      if (body['id'].startsWith('inv_')) return [await accept(body['id'])];
      return 'redirect_uris' in body ? authorize(body as CreatedOAuthClient) : [];
    },
    async invite(roles) {
      await keywright.database.query('DELETE FROM login_attempts WHERE tenant_id = $1', [
        tenant.id,
      ]);
      const token = await tenant.adminToken();
      const body = { identifier: newIdentifier(), roles };
      const { id } = expectStatus(
        201,
        await tenant.request('POST', '/invitations', { token, body }),
      );
      return () => accept(String(id));
    },
  };
}
