import { newAgentId } from '@keywright/server/platform/crypto/ids';
import type { BodyReference } from './reference.ts';
import { randomName } from './requests.ts';

const SERVER: BodyReference = {
  foreign: ({ foreign }) => foreign.robot.agent.id,
  random: () => newAgentId(new Date()),
  status: 400,
  code: 'VALIDATION_FAILED',
  around: (id) => ({ name: 'Files', uri: `https://${randomName()}.example.com/`, served_by: [id] }),
};

/** Ids in requests about clients and resources. */
export const CLIENT_REFERENCES: Readonly<Record<string, BodyReference>> = {
  'resources.create /served_by/*': SERVER,
  'resources.update /served_by/*': { ...SERVER, around: (id) => ({ served_by: [id] }) },
};
