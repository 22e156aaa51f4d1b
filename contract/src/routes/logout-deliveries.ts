import Type from 'typebox';
import { OAuthClientIdSchema, pathId } from '../ids.ts';
import { listOf, listQuery } from '../list.ts';
import { LOGOUT_DELIVERY_STATES, LogoutDeliveryRecord } from '../records/logout-delivery.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';
import { SORT_BY_AGE } from './fields.ts';

export const listLogoutDeliveries = route({
  id: 'clients.list_logout_deliveries',
  method: 'GET',
  path: `${API_BASE}/clients/:client_id/logout-deliveries`,
  access: { scope: 'read:clients', administrator: true },
  summary: 'List the logout tokens sent to an OAuth client',
  description:
    'Newest first, one for each session that ended while the client had a `backchannel_logout_uri`. Kept for 30 days.',
  params: Type.Object({ client_id: pathId(OAuthClientIdSchema) }),
  query: closed({
    ...listQuery,
    status: Type.Optional(
      Type.Enum([...LOGOUT_DELIVERY_STATES], { description: 'Only deliveries in this state.' }),
    ),
    sort: SORT_BY_AGE,
  }),
  ok: { status: 200, body: listOf(LogoutDeliveryRecord) },
  errors: ['VALIDATION_FAILED', 'NOT_FOUND'],
});
