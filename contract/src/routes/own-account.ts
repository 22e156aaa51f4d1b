import { UserIdSchema } from '../ids.ts';
import { AccountDeletion } from '../records/account-deletion.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, IdentifierText } from './fields.ts';

const DELETION = `${API_BASE}/me/deletion` as const;

export const previewDeletion = route({
  id: 'me.preview_deletion',
  method: 'GET',
  path: DELETION,
  access: 'user',
  summary: 'Preview the deletion of the caller’s account',
  description:
    'Returns what would end with the account: the number of each type, and the newest 20. Changes nothing.',
  ok: { status: 200, body: AccountDeletion },
  errors: ['TOKEN_INVALID'],
});

export const deleteAccount = route({
  id: 'me.delete',
  method: 'POST',
  path: DELETION,
  access: 'user',
  fresh: {},
  summary: 'Delete the caller’s account',
  description:
    'Irreversible. Requires the tenant setting `allow_account_deletion`. All sessions end immediately, and delegations, consents and memberships are deleted. Agents that the user owns become inactive, and their keys and delegations are revoked. The verified email addresses are notified.',
  body: closed(
    { identifier: IdentifierText },
    { description: 'An identifier of the account, to confirm the deletion.' },
  ),
  ok: { status: 200, body: deleted(UserIdSchema) },
  errors: [
    'VALIDATION_FAILED',
    'TOKEN_INVALID',
    'STEP_UP_REQUIRED',
    'ACCOUNT_DELETION_OFF',
    'LAST_ADMINISTRATOR',
  ],
});

export const ACCOUNT_DELETION_ROUTES = [previewDeletion, deleteAccount] as const;
