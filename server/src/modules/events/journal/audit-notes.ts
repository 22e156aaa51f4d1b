import type { CountedMethod } from '@keywright/contract/activity';
import type { AuditAction } from '@keywright/contract/audit';
import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { isAbandoned, mayPass } from '../../../platform/db/failures.ts';
import { describeDevice } from '../../../platform/http/user-agent.ts';
import type { Log } from '../../../platform/log.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { Device, Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { OnDenial } from '../../../tenancy/router.ts';
import { type Actor, type NewEntry, authenticated } from './audit-record.ts';
import { insertNotes } from './audit-store.ts';
import { type Entry, type Waiting, PendingEntries } from './pending-entries.ts';

const EVERY_MS = 500;
const LOST = 'audit entries were lost: too many different entries in one interval';
const REJECTED = 'audit entries were rejected and are lost';
const LOST_AT_END =
  'audit entries were lost: the database did not accept them before the process exited';
/** Entries per statement. A statement delays others on an embedded database by a few milliseconds. */
const ENTRIES_PER_STATEMENT = 100;

type LoginFailed = 'auth.login_failed';

/**
 * An entry about an action that changed nothing. A failed login names the method that GET /activity counts it as; null
 * if the login continues with another step.
 */
type Note = Entry &
  (
    | { readonly action: Exclude<AuditAction, LoginFailed> }
    | {
        readonly action: LoginFailed;
        readonly method: CountedMethod | 'second_factor' | null;
        /** The device that the login was attempted on, unless the attempts are only counted. */
        readonly device?: Pick<Device, 'userAgent'>;
      }
  );

/**
 * Writes entries asynchronously: they are buffered for at most half a second and written in batches. Equal entries
 * become one entry with a count, so that a flood of requests does not flood the log. The buffer is bounded: beyond the
 * limit, entries of a tenant and action lose actor and target, but retain the count. Entries that the database cannot
 * accept remain in the buffer until it can, even if it aborts the statement because of a lock. When the process stops,
 * it tries once more. Actions that a client can repeat indefinitely, such as throttled attempts, are counted by
 * address, with one entry a minute. A process that is killed loses that minute's count.
 */
export class Notes {
  readonly #gate: Gate;
  readonly #log: Log;
  readonly #activity: CountActivity;
  readonly #pending: PendingEntries;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> = Promise.resolve();
  /** A failure is logged when it starts and ends, not for each attempt. */
  #isFailing = false;

  constructor(gate: Gate, clock: Clock, log: Log, activity: CountActivity) {
    this.#gate = gate;
    this.#log = log;
    this.#activity = activity;
    this.#pending = new PendingEntries(clock);
  }

  /** Buffers an entry. */
  note(tenantId: TenantId, by: Actor, note: Note): void {
    countFailure(this.#activity, tenantId, note);
    this.#pending.keep(tenantId, by, entryIn(note));
    this.#schedule();
  }

  /** Counts an attempt from this address. @param note contains nothing that the client can vary */
  count(tenantId: TenantId, from: Origin, note: Note): void {
    if (note.action === LOGIN_FAILED) this.#activity.count(tenantId, 'logins_throttled');
    this.#pending.count(tenantId, from, entryIn(note));
    this.#schedule();
  }

  /** Writes the buffer. */
  flush(): Promise<void> {
    return this.#inTurn(true);
  }

  /** Writes the buffer a last time. Entries that the database does not accept now are lost; their number is logged. */
  async stop(): Promise<void> {
    await this.#inTurn(true);
    clearTimeout(this.#timer);
    const { waiting, lost } = this.#pending.take(true);
    const entries = waiting.reduce((sum, { count }) => sum + count, lost);
    if (entries > 0) this.#log.error({ lost: entries }, LOST_AT_END);
  }

  #schedule(): void {
    if (this.#pending.isEmpty) return;
    this.#timer ??= setTimeout(() => void this.#inTurn(false), EVERY_MS).unref();
  }

  #inTurn(everything: boolean): Promise<void> {
    this.#inFlight = this.#inFlight.then(() => this.#write(everything));
    return this.#inFlight;
  }

  async #write(everything: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { waiting, lost } = this.#pending.take(everything);
    this.#schedule();
    if (lost > 0) this.#log.error({ lost }, LOST);
    for (let start = 0; start < waiting.length; start += ENTRIES_PER_STATEMENT) {
      const batch = waiting.slice(start, start + ENTRIES_PER_STATEMENT);
      const error = await this.#attempt(batch);
      if (error === undefined) continue;
      // A lock may block only these entries, so the others are written.
      const isOfThese = isAbandoned(error);
      this.#pending.giveBack(isOfThese ? batch : waiting.slice(start));
      if (!isOfThese) break;
    }
    this.#schedule();
  }

  /** @returns the error if entries must be retried; undefined if they were written, or rejected and lost */
  async #attempt(batch: readonly Waiting[]): Promise<unknown> {
    try {
      await insertNotes(this.#gate, await this.#serialize(batch));
    } catch (error) {
      if (!mayPass(error)) return this.#attemptEachTenant(batch, error);
      if (!this.#isFailing) {
        this.#log.error({ err: error }, 'audit entries cannot be written and are buffered');
      }
      this.#isFailing = true;
      return error;
    }
    if (this.#isFailing) this.#log.info('audit entries can be written again');
    this.#isFailing = false;
    return undefined;
  }

  /** Serializes the entries of each tenant. Those of a tenant without a key are dropped, since it was deleted. */
  async #serialize(batch: readonly Waiting[]): Promise<ReadonlyMap<TenantId, string>> {
    const serialized = new Map<TenantId, string>();
    for (const [tenantId, waiting] of Map.groupBy(batch, (candidate) => candidate.tenantId)) {
      const key = await this.#gate.into(tenantId).auditKey();
      if (key) serialized.set(tenantId, authenticated(key, tenantId, waiting.map(countedEntry)));
    }
    return serialized;
  }

  /** Retries each tenant alone after a rejection: a problem with one tenant's entries or key must not affect others. */
  async #attemptEachTenant(batch: readonly Waiting[], rejection: unknown): Promise<undefined> {
    const lists = [...Map.groupBy(batch, ({ tenantId }) => tenantId).values()];
    if (lists.length === 1) {
      const lost = batch.reduce((sum, { count }) => sum + count, 0);
      this.#log.error({ err: rejection, lost }, REJECTED);
      return;
    }
    for (const list of lists) {
      if ((await this.#attempt(list)) !== undefined) this.#pending.giveBack(list);
    }
  }
}

const LOGIN_FAILED: LoginFailed = 'auth.login_failed';

function countFailure(activity: CountActivity, tenantId: TenantId, note: Note): void {
  if (note.action !== LOGIN_FAILED || note.method === null) return;
  activity.count(tenantId, `logins_failed.${note.method}`);
}

/** The fields that decide whether entries are equal. */
function entryIn(note: Note): Entry {
  const { action, target, outcome, details } = note;
  return {
    action,
    target,
    ...(outcome && { outcome }),
    ...(details && { details: { ...details, ...attemptIn(note) } }),
  };
}

/** How a login failed, and where. */
function attemptIn(note: Note) {
  if (note.action !== LOGIN_FAILED) return {};
  return {
    ...(note.method !== null && { method: note.method }),
    ...describeDevice(note.device?.userAgent),
  };
}

function countedEntry({ first, count, lastAt }: Waiting): NewEntry {
  if (count === 1) return first;
  return { ...first, count, details: { ...first.details, last_at: lastAt.toISOString() } };
}

/** Notes each 403 to an authenticated caller, with the route and the code. */
export function noteDenials(notes: Notes): OnDenial {
  return (tenant, caller, route, code) =>
    notes.note(tenant.id, caller, {
      action: 'auth.denied',
      target: { kind: 'route', id: route.id },
      outcome: 'denied',
      details: { code },
    });
}
