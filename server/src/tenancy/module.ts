import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { SigningKey } from '../platform/crypto/jws.ts';
import type { PasswordHasher } from '../platform/crypto/password.ts';
import type { Database } from '../platform/db/database.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { TenantId } from '@keywright/contract/ids';
import type { Authenticate } from './authorization.ts';
import type { AfterCommit } from './after-commit.ts';
import type { Changes } from './changes.ts';
import type { DataKeys, MasterKeys } from './data-keys.ts';
import type { TenantDirectory } from './directory.ts';
import type { Gate } from './gate.ts';
import type { Router } from './router.ts';
import type { Sweep } from './sweep-store.ts';
import type { SystemData } from './system.ts';

/** What every module may stand on. The composition root makes it and closes it. */
export interface Core {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly gate: Gate;
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly changes: Changes;
  readonly directory: TenantDirectory;
  readonly masterKeys: MasterKeys;
  readonly dataKeys: DataKeys;
  /** The key that the tenant signs with now. */
  readonly signer: (tenantId: TenantId) => Promise<SigningKey>;
  readonly passwords: PasswordHasher;
  readonly egress: Egress;
  /** The address that the service tells others, known once it listens. */
  readonly baseUrl: () => string;
  /** Listens to what the database announces. */
  readonly watch: Database['watch'];
  /** Whether the database took a statement, soon. */
  readonly databaseAnswers: () => Promise<boolean>;
  /** Whether the process is on its way out. */
  readonly isDraining: () => boolean;
}

/** What a module adds to the service. */
export interface ModuleInstance<Offer> {
  /** What other modules get of it. */
  readonly offer?: Offer;
  /** Deletes rows whose time is over; run by housekeeping. */
  readonly sweeps?: readonly Sweep[];
  /** Makes the database ready, before anything is served. */
  readonly prepare?: () => Promise<void>;
  readonly routes?: (router: Router) => void;
  /** Finds out whose browser session a secret is of; one module does. */
  readonly authenticateBrowser?: Authenticate;
  /** Goes on with what a process that died left half done; run by housekeeping, at the start too. */
  readonly resume?: () => Promise<void>;
  /** Begins background work, once the service listens. */
  readonly start?: () => void | Promise<void>;
  /** Begins what one process of a machine is enough for. */
  readonly startChores?: () => void;
  /** Ends answers that would never end by themselves. */
  readonly drain?: () => Promise<void>;
  /** Resolves when its background work is over. What it was given still works until then, and is not its own to close. */
  readonly stop?: () => Promise<void>;
}

/** One feature of the service: a folder, and a line in the list of modules. */
export interface Module<Offer = unknown> {
  readonly name: string;
  readonly create: (core: Core, use: Use) => ModuleInstance<Offer>;
}

/** What another module offers. It is created first, in whichever order the list names them. */
export type Use = <Offer>(module: Module<Offer>) => Offer;

export function defineModule<Offer>(name: string, create: Module<Offer>['create']): Module<Offer> {
  return { name, create };
}
