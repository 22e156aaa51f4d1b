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
  summary: 'Read what would end with the caller’s account',
  description: 'The number of each, and the newest 20. Nothing is changed.',
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
    'Irreversible, and only where the tenant allows it (`allow_account_deletion`). Every session ends immediately; delegations, consents and memberships are deleted. Agents that the user owns become inactive, and their keys and delegations are revoked. The verified email addresses are notified.',
  body: closed(
    { identifier: IdentifierText },
    { description: 'An identifier of the account, as a confirmation.' },
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
