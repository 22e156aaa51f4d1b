import * as contract from '@keywright/contract/routes/account-export';
import type { Router } from '../../../tenancy/router.ts';
import { getExport, type OwnDataDependencies, readExport, requestExport } from './service.ts';

export function bindOwnDataRoutes(router: Router, dependencies: OwnDataDependencies): void {
  router.add(contract.requestExport, ({ tenant, caller }, fail) =>
    requestExport(dependencies, tenant, caller, fail),
  );
  router.add(contract.getExport, ({ tenant, caller }, fail) =>
    getExport(dependencies, tenant, caller, fail),
  );
  router.add(contract.readExport, ({ tenant, caller }, fail) =>
    readExport(dependencies, tenant, caller, fail),
  );
}
