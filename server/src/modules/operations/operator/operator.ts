import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { PasswordHasher } from '../../../platform/crypto/password.ts';
import type { Database } from '../../../platform/db/database.ts';
import type { Log } from '../../../platform/log.ts';
import type { AuditKeys } from '../../../tenancy/audit-keys.ts';
import type { SystemActor } from '../../../tenancy/caller.ts';
import type { MasterKeys } from '../../../tenancy/data-keys.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { SystemData } from '../../../tenancy/system.ts';

/** The operator, in the logs and in the audit log. */
export const ACTOR: SystemActor = { kind: 'system', name: 'command line' };

/** The context of commands, once the database is open. */
export interface Operator {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly system: SystemData;
  readonly gate: Gate;
  readonly auditKeys: AuditKeys;
  /** The configured master keys; for an embedded database without one, one is generated. */
  readonly masterKeys: () => MasterKeys;
  readonly passwords: PasswordHasher;
  readonly clock: Clock;
}
