import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { SigningKey } from '../platform/crypto/jws.ts';
import type { PasswordHasher } from '../platform/crypto/password.ts';
import type { Database } from '../platform/db/database.ts';
import type { Egress } from '../platform/egress/egress.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import type { TenantId } from '@keywright/contract/ids';
import type { ActivityCounts } from './activity.ts';
import type { Authenticate } from './authorization.ts';
import type { AfterCommit } from './after-commit.ts';
import type { ClockGuard } from './clock-guard.ts';
import type { Changes } from './changes.ts';
import type { DataKeys, MasterKeys } from './data-keys.ts';
import type { TenantDirectory } from './directory.ts';
import type { Gate, SystemData } from './gate.ts';
import type { Poller } from './jobs/poller.ts';
import type { Readiness } from './readiness.ts';
import type { Router } from './router.ts';
import type { Sweep } from './sweep-store.ts';

/** What every module can use. The composition root creates and closes it. */
export interface Core {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly activity: ActivityCounts;
  readonly gate: Gate;
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly poller: Poller;
  readonly clockGuard: ClockGuard;
  readonly changes: Changes;
  readonly directory: TenantDirectory;
  readonly masterKeys: MasterKeys;
  readonly dataKeys: DataKeys;
  /** Returns the current signing key of the tenant. */
  readonly signer: (tenantId: TenantId) => Promise<SigningKey>;
  readonly passwords: PasswordHasher;
  readonly egress: Egress;
  /** The public address of the service, known once it listens. */
  readonly baseUrl: () => string;
  /** URL of the documentation, without a trailing slash. */
  readonly docsUrl: () => string;
  /** Listens for database notifications. */
  readonly watch: Database['watch'];
  /** Whether logins work on this node. */
  readonly readiness: Readiness;
  /** Whether the process is shutting down. */
  readonly isDraining: () => boolean;
  /** Whether requests come through an internal proxy that is not in `KEYWRIGHT_TRUSTED_PROXIES`. */
  readonly isBehindUntrustedProxy: () => boolean;
}

/** What a module contributes to the service. */
export interface ModuleInstance<Offer> {
  /** The module's interface for other modules. */
  readonly offer?: Offer;
  /** Deletes expired rows; run by housekeeping. */
  readonly sweeps?: readonly Sweep[];
  /** Prepares the database before anything is served. */
  readonly prepare?: () => Promise<void>;
  readonly routes?: (router: Router) => void;
  /** Authenticates the secret of a browser session. If several modules do, the last one in the list wins. */
  readonly authenticateBrowser?: Authenticate;
  /** Authenticates the browser session of a system administrator who acts inside a tenant. */
  readonly authenticateInside?: Authenticate;
  /** Resumes work that a crashed process left unfinished; run by housekeeping, also at startup. */
  readonly resume?: () => Promise<void>;
  /** Starts background work, once the service listens. */
  readonly start?: () => void | Promise<void>;
  /** Starts work that one process per machine should do. */
  readonly startChores?: () => void;
  /** Ends responses that would not end on their own, such as streams. */
  readonly drain?: () => Promise<void>;
  /**
   * Resolves when the module's background work has ended. Its dependencies work until then; the module must not close
   * them.
   */
  readonly stop?: () => Promise<void>;
}

/** A feature of the service: a folder, and a line in the list of modules. */
export interface Module<Offer = unknown> {
  readonly name: string;
  readonly create: (core: Core, use: Use) => ModuleInstance<Offer>;
}

/** Returns the interface of another module. That module is created first, whatever the order of the list. */
export type Use = <Offer>(module: Module<Offer>) => Offer;

export function defineModule<Offer>(name: string, create: Module<Offer>['create']): Module<Offer> {
  return { name, create };
}
