import { newAgentId, newIdentityProviderId } from '@keywright/server/platform/crypto/ids';
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

/** Ids in requests about clients and resources. */
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
  'resources.create /served_by/*': SERVER,
  'resources.update /served_by/*': { ...SERVER, around: (id) => ({ served_by: [id] }) },
};
