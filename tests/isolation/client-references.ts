import {
  newAgentId,
  newIdentityProviderId,
  newOAuthClientId,
  newUserId,
} from '@keywright/server/platform/crypto/ids';
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
