import Type, { type Static } from 'typebox';
import { RegistrationTokenIdSchema, TenantIdSchema } from '../ids.ts';
import { ClientScopes } from './oauth-client.ts';
import { ResourceUri } from './oauth-resource.ts';
import { DomainName } from './origins.ts';
import { CreatedAt, expiresAt } from './record-fields.ts';
import { secret } from './tokens.ts';

/** The prefix of every registration token, which lets scanners find leaked tokens. */
export const REGISTRATION_TOKEN_PREFIX = 'kwr_';

/** The prefix of the tokens for managing an application's own registration. */
export const MANAGEMENT_TOKEN_PREFIX = 'kwm_';

export const RegistrationScopes = Type.Union([ClientScopes, Type.Null()], {
  description:
    'Scopes that registered applications can request; `null` for the scopes of OpenID Connect, those of resources, and read permissions.',
});

export const RegistrationResources = Type.Union(
  [Type.Array(ResourceUri, { maxItems: 20, uniqueItems: true }), Type.Null()],
  { description: 'Resources whose scopes registered applications can request; `null` for all.' },
);

export const RedirectHosts = Type.Union(
  [Type.Array(DomainName, { minItems: 1, maxItems: 20, uniqueItems: true }), Type.Null()],
  {
    description:
      'Hosts that users can return to. A host does not include its subdomains. `localhost` stands for the loopback address. `null` for any host.',
    examples: [['app.example.com']],
  },
);

export const RegistrationTokenRecord = Type.Object(
  {
    id: RegistrationTokenIdSchema,
    tenant_id: TenantIdSchema,
    name: Type.String({ description: 'Display name.', examples: ['Partners, spring'] }),
    uses: Type.Integer({
      description: 'Number of applications that can still be registered with the token.',
      examples: [1],
    }),
    expires_at: expiresAt('When the token expires.'),
    scopes: RegistrationScopes,
    resources: RegistrationResources,
    redirect_hosts: RedirectHosts,
    created_at: CreatedAt,
  },
  {
    $id: 'RegistrationToken',
    description: 'A token that allows registering applications (RFC 7591 §3).',
  },
);
export type RegistrationTokenRecord = Static<typeof RegistrationTokenRecord>;

export const CreatedRegistrationToken = Type.Object(
  {
    ...RegistrationTokenRecord.properties,
    registration_token: Type.Optional(
      secret({
        description:
          'The token. Shown only in this response; a repeated request does not return it.',
        examples: [`${REGISTRATION_TOKEN_PREFIX}${'EXAMPLE'.repeat(6)}00`],
      }),
    ),
  },
  {
    $id: 'CreatedRegistrationToken',
    description: 'A registration token, as returned when it is created.',
  },
);
export type CreatedRegistrationToken = Static<typeof CreatedRegistrationToken>;
