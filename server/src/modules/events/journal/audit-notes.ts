import type { CountedMethod } from '@keywright/contract/activity';
import type { AuditAction } from '@keywright/contract/audit';
import type { TenantId } from '@keywright/contract/ids';
import type { Clock } from '../../../platform/clock.ts';
import { isAbandoned, mayPass } from '../../../platform/db/failures.ts';
import type { Log } from '../../../platform/log.ts';
import type { CountActivity } from '../../../tenancy/activity.ts';
import type { Origin } from '../../../tenancy/caller.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import type { OnDenial } from '../../../tenancy/router.ts';
import type { NewEntry } from './audit-integrity.ts';
import type { Actor } from './audit-record.ts';
import { insertNotes } from './audit-store.ts';
import { type Entry, type Waiting, PendingEntries } from './pending-entries.ts';

const EVERY_MS = 500;
const LOST = 'audit entries were lost: too many different ones at once';
const REJECTED = 'audit entries were rejected and are lost';
const LOST_AT_END =
  'audit entries were lost: the database did not accept them before the process stopped';
/** Entries per statement, which delays others on an embedded database: a few milliseconds. */
const WRITTEN_AT_ONCE = 100;

type LoginFailed = 'auth.login_failed';

/**
 * An entry for what changed nothing. A failed login names what it is counted as in GET /activity; null: it goes on with
 * another step.
 */
type Note = Entry &
  (
    | { readonly action: Exclude<AuditAction, LoginFailed> }
    | { readonly action: LoginFailed; readonly method: CountedMethod | 'second_factor' | null }
  );

/**
 * Writes entries asynchronously: they are buffered for at most half a second and written in batches. Equal ones become
 * one entry with a count, so a flood of requests does not flood the log. The buffer is bounded: beyond that, entries of
 * a tenant and action lose actor and target, and keep the count. Entries that the database cannot accept remain in the
 * buffer until it can, even if it aborts the statement because of a lock. When the process stops, it tries once more.
 * What a client can repeat indefinitely, such as throttled attempts, is counted by address: one entry a minute. A
 * process that is killed loses that minute's count.
 */
export interface Notes {
  note(tenantId: TenantId, by: Actor, note: Note): void;
  /** Counts an attempt from this address. @param note holds nothing that the client can vary */
  count(tenantId: TenantId, from: Origin, note: Note): void;
  /** Flushes the buffer. */
  flush(): Promise<void>;
  /** Flushes the buffer, and accepts no more. */
  stop(): Promise<void>;
}

interface Dependencies {
  readonly gate: Gate;
  readonly clock: Clock;
  readonly log: Log;
  readonly activity: CountActivity;
}

export class BufferedNotes implements Notes {
  readonly #gate: Gate;
  readonly #log: Log;
  readonly #activity: CountActivity;
  readonly #room: PendingEntries;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> = Promise.resolve();
  /** Logged when it starts and ends, not for each attempt. */
  #isFailing = false;

  constructor({ gate, clock, log, activity }: Dependencies) {
    this.#gate = gate;
    this.#log = log;
    this.#activity = activity;
    this.#room = new PendingEntries(clock);
  }

  note(tenantId: TenantId, by: Actor, note: Note): void {
    countFailure(this.#activity, tenantId, note);
    this.#room.keep(tenantId, by, entryIn(note));
    this.#schedule();
  }

  count(tenantId: TenantId, from: Origin, note: Note): void {
    if (note.action === LOGIN_FAILED) this.#activity.count(tenantId, 'logins_throttled');
    this.#room.count(tenantId, from, entryIn(note));
    this.#schedule();
  }

  flush(): Promise<void> {
    return this.#inTurn(true);
  }

  /** Entries that the database does not accept now are lost, and the log has their number. */
  async stop(): Promise<void> {
    await this.#inTurn(true);
    clearTimeout(this.#timer);
    const { waiting, lost } = this.#room.take(true);
    const entries = waiting.reduce((sum, { count }) => sum + count, lost);
    if (entries > 0) this.#log.error({ lost: entries }, LOST_AT_END);
  }

  #schedule(): void {
    if (this.#room.isEmpty) return;
    this.#timer ??= setTimeout(() => void this.#inTurn(false), EVERY_MS).unref();
  }

  #inTurn(everything: boolean): Promise<void> {
    this.#inFlight = this.#inFlight.then(() => this.#write(everything));
    return this.#inFlight;
  }

  async #write(everything: boolean): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { waiting, lost } = this.#room.take(everything);
    this.#schedule();
    if (lost > 0) this.#log.error({ lost }, LOST);
    for (let start = 0; start < waiting.length; start += WRITTEN_AT_ONCE) {
      const some = waiting.slice(start, start + WRITTEN_AT_ONCE);
      const error = await this.#attempt(some);
      if (error === undefined) continue;
      // A lock may block only these entries: the others are written.
      const isOfThese = isAbandoned(error);
      this.#room.giveBack(isOfThese ? some : waiting.slice(start));
      if (!isOfThese) break;
    }
    this.#schedule();
  }

  /** @returns why entries must be tried again; undefined if they were written, or rejected and lost */
  async #attempt(some: readonly Waiting[]): Promise<unknown> {
    try {
      await insertNotes(this.#gate, byTenant(some));
    } catch (error) {
      if (!mayPass(error)) return this.#attemptEachTenant(some, error);
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

  /** After a rejection: what is wrong with the entries, or the key, of one tenant must not cost the others theirs. */
  async #attemptEachTenant(some: readonly Waiting[], rejection: unknown): Promise<undefined> {
    const lists = [...Map.groupBy(some, ({ tenantId }) => tenantId).values()];
    if (lists.length === 1) {
      const lost = some.reduce((sum, { count }) => sum + count, 0);
      this.#log.error({ err: rejection, lost }, REJECTED);
      return;
    }
    for (const list of lists) {
      if ((await this.#attempt(list)) !== undefined) this.#room.giveBack(list);
    }
  }
}

const LOGIN_FAILED: LoginFailed = 'auth.login_failed';

function countFailure({ count }: CountActivity, tenantId: TenantId, note: Note): void {
  if (note.action !== LOGIN_FAILED || note.method === null) return;
  count(tenantId, `logins_failed.${note.method}`);
}

/** Equal entries are found by their fields: these, and no others. */
function entryIn({ action, target, outcome, details }: Note): Entry {
  return { action, target, ...(outcome && { outcome }), ...(details && { details }) };
}

function byTenant(waiting: readonly Waiting[]): ReadonlyMap<TenantId, readonly NewEntry[]> {
  const grouped = Map.groupBy(waiting, (one) => one.tenantId);
  return new Map([...grouped].map(([id, list]) => [id, list.map(countedEntry)]));
}

function countedEntry({ first, count, lastAt }: Waiting): NewEntry {
  if (count === 1) return first;
  return { ...first, count, details: { ...first.details, last_at: lastAt.toISOString() } };
}

/** Notes each 403 to an authenticated caller: who, which route, and the code. */
export function noteDenials(notes: Notes): OnDenial {
  return (tenant, caller, route, code) =>
    notes.note(tenant.id, caller, {
      action: 'auth.denied',
      target: { kind: 'route', id: route.id },
      outcome: 'denied',
      details: { code },
    });
}
