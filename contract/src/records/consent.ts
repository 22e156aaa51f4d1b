import Type, { type Static } from 'typebox';
import {
  ConsentIdSchema,
  OAuthClientIdSchema,
  OAuthResourceIdSchema,
  TenantIdSchema,
  UserIdSchema,
} from '../ids.ts';
import { AuthorizationDetails } from './authorization-details.ts';
import { clientScopes } from './oauth-client.ts';
import { ResourceUri } from './oauth-resource.ts';
import { CreatedAt } from './record-fields.ts';

export const ConsentRecord = Type.Object(
  {
    id: ConsentIdSchema,
    tenant_id: TenantIdSchema,
    user_id: UserIdSchema,
    client_id: OAuthClientIdSchema,
    client_name: Type.String({
      description: 'Display name of the application.',
      examples: ['Acme Invoices'],
    }),
    scopes: clientScopes('Scopes that the user granted.'),
    resources: Type.Array(
      Type.Object(
        {
          id: OAuthResourceIdSchema,
          tenant_id: TenantIdSchema,
          uri: ResourceUri,
          name: Type.String({
            description: 'Display name of the resource.',
            examples: ['Acme Files'],
          }),
          scopes: clientScopes('Scopes that the user granted at the resource.'),
        },
        { description: 'Scopes granted at a resource.' },
      ),
      { description: 'Resources that the application can get access tokens for.' },
    ),
    authorization_details: AuthorizationDetails,
    created_at: CreatedAt,
    updated_at: Type.String({
      format: 'date-time',
      description: 'Time of the user’s last consent.',
      examples: ['2026-01-15T10:30:00.000Z'],
    }),
  },
  {
    $id: 'Consent',
    description:
      'Access that a user granted to an application, or that a first-party application has without consent.',
  },
);
export type ConsentRecord = Static<typeof ConsentRecord>;
