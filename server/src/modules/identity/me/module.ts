import * as exported from '@keywright/contract/routes/account-export';
import { getMe, getCallerPermissions, updateMe } from '@keywright/contract/routes/me';
import * as own from '@keywright/contract/routes/own-account';
import * as profile from '@keywright/contract/routes/profile';
import { preparedOf } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import type { Router } from '../../../tenancy/router.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { passwordsModule } from '../../authentication/passwords/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { usersModule } from '../user-administration/module.ts';
import { AccountService, MeService } from './me-service.ts';
import { ExportService } from './export-service.ts';

export const meModule = defineModule('me', (core, use) => {
  const { notices } = use(messagesModule);
  const me = new MeService(
    core,
    use(usersModule).users,
    use(passwordsModule).passwordPolicy,
    notices,
  );
  const account = new AccountService(core.gate, notices);
  const exports = new ExportService(core);
  return {
    sweeps: [expiring('account_exports', 'expires_at')],
    routes(router) {
      exports.useRoutes(router);
      bindMe(router, me);
      bindAccount(router, account);
      bindExports(router, exports);
    },
    start: () => exports.start(),
    stop: () => exports.stop(),
  };
});

function bindMe(router: Router, me: MeService): void {
  router.add(getMe, async ({ tenant, caller }, fail) =>
    preparedOf(await me.get(tenant, caller.claimed, fail)),
  );
  router.add(getCallerPermissions, ({ tenant, caller: { roles, scopes } }) => ({
    tenant_name: tenant.name,
    roles: [...roles],
    scopes: [...scopes],
  }));
  router.add(updateMe, ({ tenant, caller, body }, fail) => me.update(tenant, caller, body, fail));
}

function bindAccount(router: Router, account: AccountService): void {
  router.add(profile.getProfile, ({ tenant, caller }, fail) =>
    account.getProfile(tenant, caller, fail),
  );
  router.add(profile.updateProfile, ({ tenant, caller, body }, fail) =>
    account.updateProfile(tenant, caller, body, fail),
  );
  router.add(own.previewDeletion, ({ tenant, caller }, fail) =>
    account.previewDeletion(tenant, caller, fail),
  );
  router.add(own.deleteAccount, async ({ tenant, caller, body }, fail) => ({
    id: await account.delete(tenant, caller, body.identifier, fail),
    deleted: true as const,
  }));
}

function bindExports(router: Router, exports: ExportService): void {
  router.add(exported.requestExport, ({ tenant, caller }, fail) =>
    exports.request(tenant, caller, fail),
  );
  router.add(exported.getExport, ({ tenant, caller }, fail) => exports.get(tenant, caller, fail));
  router.add(exported.readExport, ({ tenant, caller }, fail) => exports.read(tenant, caller, fail));
}
