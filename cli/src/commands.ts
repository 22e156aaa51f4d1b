import type { Command } from './command.ts';
import { afterRestore } from './commands/after-restore.ts';
import { auditVerify } from './commands/audit.ts';
import { adminCreate, adminRecover } from './commands/admin.ts';
import { completionBash, completionFish, completionZsh } from './commands/completion.ts';
import { databaseSql } from './commands/database.ts';
import { doctor } from './commands/doctor.ts';
import { eventTail } from './commands/event-tail.ts';
import { keyList, keyRotate } from './commands/key.ts';
import { login, logout } from './commands/login.ts';
import { masterKeyRotate } from './commands/master-key.ts';
import { passwordsBuild } from './commands/passwords.ts';
import { migrate } from './commands/migrate.ts';
import { profileList, whoami } from './commands/profile.ts';
import { serve } from './commands/serve.ts';
import { tenantCreate, tenantDelete, tenantList, tenantShow } from './commands/tenant.ts';
import { tenantExport, tenantImport } from './commands/tenant-transfer.ts';
import { userImport } from './commands/user-import.ts';
import { REMOTE_TABLE } from './remote/commands.ts';

const LISTED: readonly Command[] = [
  serve,
  databaseSql,
  migrate,
  adminCreate,
  adminRecover,
  tenantCreate,
  tenantList,
  tenantShow,
  tenantDelete,
  tenantExport,
  tenantImport,
  keyList,
  keyRotate,
  masterKeyRotate,
  afterRestore,
  auditVerify,
  doctor,
  login,
  logout,
  whoami,
  profileList,
  ...REMOTE_TABLE,
  userImport,
  passwordsBuild,
  eventTail,
  completionBash,
  completionZsh,
  completionFish,
];

/** Every command, in help order: commands of one group, such as `user`, follow each other. */
export const COMMANDS: readonly Command[] = [
  ...Map.groupBy(LISTED, ({ name }) => name.split(' ')[0]).values(),
].flat();
