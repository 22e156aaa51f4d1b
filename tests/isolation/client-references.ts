import {
  newAgentId,
  newIdentityProviderId,
  newOAuthClientId,
  newUserId,
} from '@keywright/server/platform/crypto/ids';
import { expectStatus } from '../harness/http.ts';
import { newIdentifier } from '../harness/credentials.ts';
import type { BodyReference } from './reference.ts';
import { randomName } from './requests.ts';

const SERVER: BodyReference = {
  foreign: ({ foreign }) => foreign.robot.agent.id,
  random: () => newAgentId(new Date()),
  status: 400,
  code: 'VALIDATION_FAILED',
  around: (id) => ({ name: 'Files', uri: `https://${randomName()}.example.com/`, served_by: [id] }),
};

const VOUCHER: BodyReference = {
  foreign: ({ foreign }) => foreign.providerId,
  random: () => newIdentityProviderId(new Date()),
  status: 400,
  code: 'VALIDATION_FAILED',
  around: (id) => ({ identity_assertions: { audiences: [], providers: [id] } }),
};

const UNKNOWN = { status: 404, code: 'NOT_FOUND' } as const;

/** Ids in requests about clients, resources and their tokens. */
export const CLIENT_REFERENCES: Readonly<Record<string, BodyReference>> = {
  'clients.create /identity_assertions/providers/*': {
    ...VOUCHER,
    around: (id) => ({
      name: 'Files',
      kind: 'web',
      redirect_uris: ['https://app.example.com/callback'],
      identity_assertions: { audiences: [], providers: [id] },
    }),
  },
  'clients.update /identity_assertions/providers/*': VOUCHER,
  'invitations.create /client_id': {
    foreign: ({ foreign }) => foreign.clientId,
    random: () => newOAuthClientId(new Date()),
    status: 400,
    code: 'VALIDATION_FAILED',
    around: (id) => ({ identifier: newIdentifier(), client_id: id }),
  },
  // Each tenant has IDs of its own, so that the ID of another tenant's provider is free.
  'providers.create /id': {
    foreign: async ({ foreign: { tenant, providerId } }) => {
      const options = { token: await tenant.adminToken() };
      const answer = await tenant.request('GET', '/identity-providers', options);
      const items = expectStatus(200, answer)['items'] as readonly { readonly id: string }[];
      return items.find(({ id }) => id !== providerId)?.id;
    },
    random: () => newIdentityProviderId(new Date()),
    status: 201,
    around: (id) => ({
      id,
      type: 'oidc',
      name: 'Prepared',
      issuer: 'https://id.example.com',
      client_id: 'keywright',
    }),
  },
  'tokens.preview /user_id': {
    ...UNKNOWN,
    foreign: ({ foreign }) => foreign.member.user.id,
    random: () => newUserId(new Date()),
    around: (id) => ({ user_id: id }),
  },
  'tokens.preview /client_id': {
    ...UNKNOWN,
    foreign: ({ foreign }) => foreign.clientId,
    random: () => newOAuthClientId(new Date()),
    around: (id, side) => ({ user_id: side.member.user.id, client_id: id }),
  },
  'resources.create /served_by/*': SERVER,
  'resources.update /served_by/*': { ...SERVER, around: (id) => ({ served_by: [id] }) },
};
