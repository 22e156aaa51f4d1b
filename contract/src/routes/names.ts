import Type from 'typebox';
import { NamedIdsText } from '../ids.ts';
import { RecordName } from '../records/record-name.ts';
import { API_BASE, route } from '../route.ts';
import { closed } from '../shape.ts';

export const getNames = route({
  id: 'audit.get_names',
  method: 'GET',
  path: `${API_BASE}/names`,
  access: { scope: 'read:audit', administrator: true },
  summary: 'Get the names of records',
  description:
    'Returns the names of the records that entries of the audit log mention. Omits records that do not exist, and records whose kind you cannot read: it requires `read:users` for users and invitations, `read:agents` for agents, `read:apikeys` for API keys, `read:clients` for applications and APIs, `read:tenant` for identity providers, `read:webhooks` for webhooks and `read:workspaces` for workspaces.',
  query: closed({ ids: NamedIdsText }),
  ok: {
    status: 200,
    body: Type.Object({
      items: Type.Array(RecordName, { description: 'The records, in any order.' }),
    }),
  },
  errors: ['VALIDATION_FAILED'],
});
