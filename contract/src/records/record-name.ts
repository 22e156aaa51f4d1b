import Type, { type Static } from 'typebox';
import { exampleOf } from '../example.ts';
import { TenantIdSchema, UserIdSchema } from '../ids.ts';

export const RecordName = Type.Object(
  {
    id: Type.String({ description: 'ID of the record.', examples: [exampleOf(UserIdSchema)] }),
    tenant_id: TenantIdSchema,
    name: Type.String({
      description:
        'Name of the record. For a user without a name, the first identifier; for an invitation, the invited address; for a webhook, the host of its URL.',
      examples: ['Ada Lovelace'],
    }),
  },
  { $id: 'RecordName', description: 'The name of a record that another record mentions.' },
);
export type RecordName = Static<typeof RecordName>;
