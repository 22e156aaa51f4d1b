// The pages that links in messages open, in all their states.

import { newPassword } from '../harness/credentials.ts';
import { expectStatus } from '../harness/http.ts';
import { invite, type Invited } from '../harness/invitations.ts';
import type { TestTenant, TestUser } from '../harness/tenant.ts';
import { addAddress, recordPasskey, recordTotp } from '../harness/undo.ts';
import type { Seen, Visitor } from '../harness/visitor.ts';
import type { World } from './world.ts';

/** The parts of the enclosing walk that a walk through invitations needs. */
interface Walking {
  readonly world: World;
  readonly tenant: TestTenant;
  readonly newBrowser: () => Visitor;
  readonly newAddress: () => string;
  readonly createUser: (roles?: readonly string[]) => Promise<TestUser>;
  readonly keep: (name: string, browser: Visitor, step?: Promise<Seen>) => Promise<void>;
}

/** How an invitation ends before its link is opened. */
const ENDS: Readonly<Record<string, (walking: Walking, invited: Invited) => Promise<unknown>>> = {
  expired: ({ world }, { invitation }) =>
    world.keywright.database.query(
      `UPDATE invitations SET created_at = now() - interval '2 days', expires_at = now() - interval '1 day'
        WHERE id = $1`,
      [invitation.id],
    ),
  revoked: async ({ tenant }, { invitation }) => {
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', `/invitations/${invitation.id}`, { token }));
  },
  accepted: async (walking, invited) => {
    const browser = walking.newBrowser();
    await browser.open(pathOf(walking.tenant, invited.token));
    await browser.press('accept');
    await browser.press('new_password', { secret: newPassword() });
  },
};

export async function walkInvitations(walking: Walking): Promise<void> {
  const { world, tenant, newBrowser, newAddress, createUser, keep } = walking;
  const inviter = await createUser(['admin']);
  const options = {
    token: await tenant.adminToken(),
    body: { metadata: { name: world.texts.client } },
  };
  expectStatus(200, await tenant.request('PATCH', `/users/${inviter.user.id}`, options));
  const invited = (by?: string) => invite(world, tenant, { identifier: newAddress() }, by);
  const open = async (name: string, token: string): Promise<Visitor> => {
    const browser = newBrowser();
    await keep(name, browser, browser.open(pathOf(tenant, token)));
    return browser;
  };
  const { token } = await invited(inviter.token);
  const browser = await open('invitationView', token);
  await keep('stepsView invitation', browser, browser.press('accept'));
  for (const [state, end] of Object.entries(ENDS)) {
    const pending = await invited();
    await end(walking, pending);
    await open(`endedInvitationView ${state}`, pending.token);
  }
  await open('endedInvitationView unknown', 'another');
}

/** Walks the undo pages of a user with a password and an authenticator app, and of a user with a passkey. */
export async function walkUndos(walking: Walking): Promise<void> {
  const { world, tenant, newBrowser, createUser, keep } = walking;
  const user = await createUser();
  const change = await addAddress(world.sink, tenant, user);
  await recordTotp(world.keywright, tenant, change, { now: () => new Date() });
  const path = `/t/${tenant.id}/oauth/undo?token=${change.undoToken}`;
  const browser = newBrowser();
  await keep('undoView', browser, browser.open(path));
  await keep('undoView wrong', browser, browser.press('undo', { secret: newPassword() }));
  await keep('undoneView done', browser, browser.press('undo', { secret: user.password }));
  await keep('undoneView ended', browser, browser.open(path));
  await walkPasskeyUndo(walking);
}

async function walkPasskeyUndo(walking: Walking): Promise<void> {
  const { world, tenant, newBrowser, createUser, keep } = walking;
  const { keywright, sink } = world;
  const user = await createUser();
  const change = await addAddress(sink, tenant, user);
  await recordPasskey(keywright, tenant, change);
  const path = `/t/${tenant.id}/oauth/undo?token=${change.undoToken}`;
  const browser = newBrowser();
  await keep('undoView password or passkey', browser, browser.open(path));
  await keywright.database.query(
    'UPDATE identifier_undos SET secret_hash = NULL WHERE tenant_id = $1 AND user_id = $2',
    [tenant.id, user.user.id],
  );
  await keep('undoView passkey', browser, browser.open(path));
  await keep('undoPasskeyView', browser, browser.press('passkey'));
}

function pathOf({ id }: TestTenant, token: string): string {
  return `/t/${id}/oauth/invitation?token=${token}`;
}
