// The part of the walk over all routes that covers a user's own account.

import type { UserRecord } from '@keywright/contract/records/user';
import { newPicture } from '../harness/picture.ts';
import { until } from '../harness/until.ts';
import type { Walk } from './walk.ts';

/** What users do with their own account. */
export async function walkAccount(all: Walk): Promise<void> {
  const { walk, keywright } = all;
  const { token } = await keywright.createUser();
  await walk('me.request_export', { token });
  await until('the export', async () => {
    const { body } = await keywright.home.request('GET', '/me/export', { token });
    return body['status'] === 'ready' || undefined;
  });
  await walkPictures(all, token);
  await walk('me.get_export', { token });
  await walk('me.read_export', { token });
  await walkAccountInvitations(all);
}

async function walkPictures({ walk, keywright, token: admin }: Walk, token: string): Promise<void> {
  const { user } = await keywright.createUser();
  const home = { tenant_id: keywright.home.id };
  const body = { image: newPicture() };
  const { picture } = await walk<UserRecord>('me.put_picture', { token, body });
  const params = { digest: picture?.slice(-64) ?? '', ...home };
  await walk('users.get_picture', { params });
  await walk('users.get_issuer_picture', { params });
  await walk('me.delete_picture', { token });
  const path = { params: { user_id: user.id }, token: admin };
  await walk('users.put_picture', { ...path, body });
  await walk('users.delete_picture', path);
}

/** Invitations of a user who already exists. */
async function walkAccountInvitations({ walk, keywright, token: admin }: Walk): Promise<void> {
  const { token, user, identifier } = await keywright.createUser();
  const identifiers = [{ type: 'email', identifier, verified: true }];
  const path = { params: { user_id: user.id }, token: admin };
  await walk('users.update', { ...path, body: { identifiers } });
  await keywright.home.request('POST', '/workspaces', {
    token: admin,
    body: { name: 'Paper', slug: 'walked-paper' },
  });
  const forget = 'DELETE FROM login_attempts WHERE tenant_id = $1';
  const invite = async () => {
    await keywright.database.query(forget, [keywright.home.id]);
    const body = { identifier, workspaces: ['ws_walked-paper'] };
    const { id } = await walk<{ id: string }>('invitations.create', { token: admin, body });
    return { invitation_id: id };
  };
  const declined = await invite();
  await walk('invitations.list_own', { token });
  await walk('invitations.decline', { token, params: declined });
  await walk('invitations.accept', { token, params: await invite() });
  await walk('workspaces.list_own', { token });
  await walk('workspaces.leave', { token, params: { workspace_id: 'ws_walked-paper' } });
}
