import { JSON_LINES } from '@keywright/contract/routes/fields';
import * as contract from '@keywright/contract/routes/users';
import { Streamed } from '../../../platform/http/replies.ts';
import { defineModule } from '../../../tenancy/module.ts';
import { passwordsModule } from '../../authentication/passwords/module.ts';
import { messagesModule } from '../../events/messages/module.ts';
import { UserImporter } from './user-import.ts';
import { UserList } from './user-list.ts';
import { UserService, UserUpdate } from './user-service.ts';

export const usersModule = defineModule('users', ({ gate, clock, passwords }, use) => {
  const { passwordPolicy } = use(passwordsModule);
  const { notices } = use(messagesModule);
  const users = new UserService(gate, passwords, passwordPolicy);
  return {
    offer: { users },
    routes(router) {
      const list = new UserList(gate, clock);
      const updates = new UserUpdate(gate, passwords, passwordPolicy, notices);
      const importer = new UserImporter(gate, passwords);

      router.add(contract.listUsers, ({ tenant, query }, fail) => list.list(tenant, query, fail));
      router.add(contract.getProtection, ({ tenant }) => list.countProtected(tenant.id));
      router.add(contract.exportUsers, async ({ tenant, caller, query }, fail) => {
        const lines = await list.export(tenant, caller, query, fail);
        return new Streamed(JSON_LINES, lines);
      });
      router.add(contract.importUsers, ({ tenant, caller, lines, query }, fail) =>
        importer.import(tenant, caller, lines, query.dry_run === 'true', fail),
      );
      router.add(contract.getUser, ({ tenant, params }, fail) =>
        users.get(tenant.id, params.user_id, fail),
      );
      router.add(contract.createUser, ({ tenant, caller, body, repeatable }, fail) =>
        users.create(tenant, caller, body, repeatable, fail),
      );
      router.add(contract.updateUser, ({ tenant, caller, params, body }, fail) =>
        updates.update(tenant, caller, params.user_id, body, fail),
      );
      router.add(contract.deleteUser, ({ tenant, caller, params, query }, fail) =>
        users.delete(tenant, caller, params.user_id, query.dry_run === 'true', fail),
      );
    },
  };
});
