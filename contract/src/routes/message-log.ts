import Type from 'typebox';
import { UserIdSchema } from '../ids.ts';
import { listOf, listQuery, OF_TENANT } from '../list.ts';
import { MESSAGE_STATES, MessageRecord, SuppressionRecord } from '../records/message.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { deleted, SORT_BY_AGE } from './fields.ts';

const SUPPRESSIONS = `${API_BASE}/messaging/suppressions` as const;

const suppressionPath = Type.Object({
  suppression: Type.String({
    description: 'ID of a suppression, or the suppressed email address or phone number.',
    examples: ['ada@example.com'],
  }),
});

export const listMessages = route({
  id: 'messaging.list_messages',
  method: 'GET',
  path: `${API_BASE}/messages`,
  access: { scope: 'read:tenant' },
  summary: 'List messages',
  description: 'Messages of the last 30 days, newest first, without their texts and secrets.',
  query: closed({
    ...listQuery,
    ...OF_TENANT,
    status: Type.Optional(
      Type.Enum([...MESSAGE_STATES], { description: 'Only messages in this state.' }),
    ),
    user_id: Type.Optional(UserIdSchema),
    sort: SORT_BY_AGE,
  }),
  ok: { status: 200, body: listOf(MessageRecord) },
  errors: ['VALIDATION_FAILED', 'PRINCIPAL_PROTECTED'],
});

export const listSuppressions = route({
  id: 'messaging.list_suppressions',
  method: 'GET',
  path: SUPPRESSIONS,
  access: { scope: 'read:tenant' },
  summary: 'List suppressed recipients',
  description: 'Newest first.',
  query: closed({ ...listQuery, ...OF_TENANT, sort: SORT_BY_AGE }),
  ok: { status: 200, body: listOf(SuppressionRecord) },
  errors: ['VALIDATION_FAILED'],
});

export const getSuppression = route({
  id: 'messaging.get_suppression',
  method: 'GET',
  path: `${SUPPRESSIONS}/:suppression`,
  access: { scope: 'read:tenant' },
  summary: 'Get the suppression of a recipient',
  description: 'Find it by its ID, or by email address or phone number.',
  params: suppressionPath,
  ok: { status: 200, body: SuppressionRecord },
  errors: ['NOT_FOUND'],
});

export const deleteSuppression = route({
  id: 'messaging.delete_suppression',
  method: 'DELETE',
  path: `${SUPPRESSIONS}/:suppression`,
  access: { scope: 'write:tenant' },
  summary: 'Remove the suppression of a recipient',
  description: 'A new bounce or complaint suppresses the recipient again.',
  params: suppressionPath,
  ok: { status: 200, body: deleted(SuppressionRecord.properties.id) },
  errors: ['NOT_FOUND'],
});
