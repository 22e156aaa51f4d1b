import * as contract from '@keywright/contract/routes/device';
import { requireIssuer } from '../../../tenancy/issuer-paths.ts';
import type { Router } from '../../../tenancy/router.ts';
import type { Identify } from '../token-endpoint/index.ts';
import { createBeginDevice } from './begin-device.ts';
import type { JourneyDependencies } from './dependencies.ts';
import { showDevicePage, takeUserCode } from './device.ts';
import { createGuesses } from './user-code-guesses.ts';

interface DeviceRoutesDependencies extends JourneyDependencies {
  readonly identify: Identify;
}

/** Logins that start on devices without a browser. */
export function bindDeviceRoutes(router: Router, dependencies: DeviceRoutesDependencies): void {
  const begin = createBeginDevice(dependencies);
  router.addAll(
    contract.DEVICE_AUTHORIZATION_ROUTES,
    ({ tenant, body, headers: { authorization }, from }, fail) =>
      begin({ tenant, parameters: body, authorization, from }, fail),
  );

  const pages = [contract.showDevice, contract.showDeviceByIssuer];
  router.addAll(pages, async ({ tenant, query, form: { field }, wishes, ...place }, fail) => {
    requireIssuer(tenant, place, fail);
    return showDevicePage(dependencies, { tenant, wishes, field }, query.user_code, fail);
  });

  const guesses = createGuesses(dependencies.gate, dependencies.clock);
  const typed = [contract.enterDevice, contract.enterDeviceByIssuer];
  router.addAll(
    typed,
    async ({ tenant, body, form: { field }, cookies, wishes, from, ...place }, fail) => {
      requireIssuer(tenant, place, fail);
      const at = { tenant, cookies, wishes, from, field };
      return takeUserCode({ ...dependencies, guesses }, at, body.user_code, fail);
    },
  );
}
