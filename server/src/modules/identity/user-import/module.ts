import { importUsers } from '@keywright/contract/routes/users';
import { defineModule } from '../../../tenancy/module.ts';
import { createImportUsers } from './import.ts';

export const userImportModule = defineModule('user import', ({ gate, passwords }) => {
  const importAll = createImportUsers(gate, passwords);
  return {
    routes: (router) =>
      router.add(importUsers, ({ tenant, caller, lines, query }, fail) =>
        importAll(tenant, caller, lines, query.dry_run === 'true', fail),
      ),
  };
});
