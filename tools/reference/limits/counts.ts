import { MAX_ACTORS } from '@keywright/contract/claims';
import { MAX_FACTORS } from '../../../server/src/modules/identity/factors/factor-rules.ts';
import { MOST_DOMAINS } from '../../../server/src/modules/authentication/identity-providers/provider-domain-service.ts';
import { MOST_PROVIDERS } from '../../../server/src/modules/authentication/identity-providers/provider-service.ts';
import { MOST_TEXTS } from '../../../server/src/modules/branding/brand/text-service.ts';
import { MOST_WEBHOOKS } from '../../../server/src/modules/events/webhooks/endpoint-service.ts';
import { MAX_IDENTIFIERS } from '../../../server/src/modules/identity/identifiers/undo-service.ts';
import { MOST_PENDING } from '../../../server/src/modules/identity/invitations/invitation-service.ts';
import { MOST_CLIENTS } from '../../../server/src/modules/oauth/clients/client-lifecycle.ts';
import { MOST_SECRETS } from '../../../server/src/modules/oauth/clients/client-service.ts';
import { MOST_TOKENS } from '../../../server/src/modules/oauth/registration/registration-tokens.ts';
import { MOST_RESOURCES } from '../../../server/src/modules/oauth/resources/resource-service.ts';
import {
  MOST_STREAMS,
  MOST_WAITING,
} from '../../../server/src/modules/oauth/signals/signal-queue.ts';
import { byDefault, count, type Limit, most } from './row.ts';

const VALIDATION = 'VALIDATION_FAILED';

export const COUNTS: readonly Limit[] = [
  { what: 'Applications of a tenant', value: count(MOST_CLIENTS), error: 'TOO_MANY_CLIENTS' },
  {
    what: 'Applications of a tenant that were registered without a token or credential, or added by users',
    value: count(byDefault('oauth_max_registered_clients')),
    setting: 'oauth_max_registered_clients',
    error: 'REGISTRATION_FULL',
  },
  {
    what: 'Registration tokens of a tenant',
    value: count(MOST_TOKENS),
    error: 'TOO_MANY_REGISTRATION_TOKENS',
  },
  { what: 'Resources of a tenant', value: count(MOST_RESOURCES), error: 'TOO_MANY_RESOURCES' },
  {
    what: 'Identity providers of a tenant',
    value: count(MOST_PROVIDERS),
    error: 'TOO_MANY_IDENTITY_PROVIDERS',
  },
  { what: 'Domains of an identity provider', value: count(MOST_DOMAINS), error: VALIDATION },
  { what: 'Domains of a tenant', value: most('tenants.create', 'domains'), error: VALIDATION },
  { what: 'Webhooks of a tenant', value: count(MOST_WEBHOOKS), error: 'TOO_MANY_WEBHOOKS' },
  { what: 'Custom texts of a tenant', value: count(MOST_TEXTS), error: 'TOO_MANY_TEXTS' },
  {
    what: 'Pending invitations of a tenant',
    value: count(MOST_PENDING),
    error: 'TOO_MANY_INVITATIONS',
  },
  { what: 'Second factors of a user', value: count(MAX_FACTORS), error: 'TOO_MANY_FACTORS' },
  { what: 'Identifiers of a user', value: count(MAX_IDENTIFIERS), error: VALIDATION },
  { what: 'Roles of a user', value: most('users.create', 'roles'), error: VALIDATION },
  {
    what: 'Scopes of a delegation',
    value: most('delegations.create', 'scopes'),
    error: VALIDATION,
  },
  {
    what: 'IP addresses and networks of an API key',
    value: most('apikeys.create', 'allowed_ips'),
    error: VALIDATION,
  },
  { what: 'Event types of a webhook', value: most('webhooks.create', 'events'), error: VALIDATION },
  {
    what: 'Secrets of an application',
    value: count(MOST_SECRETS),
    error: 'TOO_MANY_CLIENT_SECRETS',
  },
  {
    what: 'Redirect URIs of an application',
    value: most('clients.create', 'redirect_uris'),
    error: VALIDATION,
  },
  { what: 'Scopes of an application', value: most('clients.create', 'scopes'), error: VALIDATION },
  { what: 'Scopes of a resource', value: most('resources.create', 'scopes'), error: VALIDATION },
  {
    what: 'Streams of shared signals of an application',
    value: count(MOST_STREAMS),
    error: 'TOO_MANY_STREAMS',
  },
  { what: 'Waiting events of a stream of shared signals', value: count(MOST_WAITING) },
  { what: 'Actors in a chain (`act`)', value: count(MAX_ACTORS), error: 'EXCHANGE_REFUSED' },
];
