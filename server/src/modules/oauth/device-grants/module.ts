import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../../tokens/signing-keys/module.ts';
import { createDeviceGrants } from './device-grant-service.ts';

/** For so long a device is told that its code has expired; later it is unknown. */
const KEPT_SECONDS = 3600;

export const deviceGrantsModule = defineModule('device grants', ({ gate, clock }, use) => ({
  offer: {
    deviceGrants: createDeviceGrants(gate, clock, use(signingKeysModule).keys.auditKeys),
  },
  sweeps: [expiring('device_grants', 'expires_at', KEPT_SECONDS)],
}));
