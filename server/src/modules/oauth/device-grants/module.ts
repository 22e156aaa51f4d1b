import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { DeviceGrants, UserCodeGuesses } from './device-grant-service.ts';

/** How long a device can learn that its code has expired. Afterwards, the code is unknown. */
const RETENTION_SECONDS = 3600;

export const deviceGrantsModule = defineModule('device grants', ({ gate, clock }, use) => ({
  offer: {
    deviceGrants: new DeviceGrants(gate, clock, use(signingKeysModule).keys.auditKeys),
    userCodeGuesses: new UserCodeGuesses(gate, clock),
  },
  sweeps: [expiring('device_grants', 'expires_at', RETENTION_SECONDS)],
}));
