import type { SignalStreamId, TenantId } from '@keywright/contract/ids';
import type { Log } from '../../../platform/log.ts';
import type { AfterCommit } from '../../../tenancy/after-commit.ts';
import type { SystemData } from '../../../tenancy/system.ts';
import { streamDue } from './due.ts';
import { findFilled } from './waiting-store.ts';

const LOOK_EVERY_MS = 1000;
/** Receivers that wait on this node, and for one stream. Others are answered at once. */
const MOST = 1000;
const MOST_OF_STREAM = 4;

interface Waiter {
  readonly tenantId: TenantId;
  readonly streamId: SignalStreamId;
  readonly wake: () => void;
}

/**
 * Receivers that wait for events of their streams. Once a second one statement asks for all of them, however many they are,
 * and none while there are none.
 */
export interface Waiting {
  /** Resolves when there may be something, when the time is over, or at once if too many wait. */
  wait(tenantId: TenantId, streamId: SignalStreamId, forMs: number): Promise<void>;
  /** Lets everybody go. */
  end(): void;
}

interface WaitingDependencies {
  readonly system: SystemData;
  readonly afterCommit: AfterCommit;
  readonly log: Log;
}

export function createWaiting({ system, afterCommit, log }: WaitingDependencies): Waiting {
  const waiters = new Set<Waiter>();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  const look = async () => {
    try {
      const filled = await system.maintain('look for signals that are polled', (tx) =>
        findFilled(tx, [...waiters]),
      );
      const ids = new Set(filled);
      wakeAll(waiters, ({ streamId }) => ids.has(streamId));
    } catch (error) {
      log.warn({ err: error }, 'looking for signals that are polled failed');
    } finally {
      timer = undefined;
      schedule();
    }
  };
  const schedule = () => {
    if (timer || isOver || waiters.size === 0) return;
    timer = setTimeout(() => void look(), LOOK_EVERY_MS).unref();
  };
  afterCommit.subscribe(streamDue, ({ key }) =>
    wakeAll(waiters, ({ streamId }) => streamId === key),
  );

  return {
    wait(tenantId, streamId, forMs) {
      const ofStream = [...waiters].filter((one) => one.streamId === streamId).length;
      if (isOver || waiters.size >= MOST || ofStream >= MOST_OF_STREAM) return Promise.resolve();
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(end);
          waiters.delete(waiter);
          resolve();
        };
        const end = setTimeout(wake, forMs).unref();
        const waiter = { tenantId, streamId, wake };
        waiters.add(waiter);
        schedule();
      });
    },
    end() {
      isOver = true;
      clearTimeout(timer);
      wakeAll(waiters, () => true);
    },
  };
}

/** Waking removes them. */
function wakeAll(waiters: ReadonlySet<Waiter>, of: (waiter: Waiter) => boolean): void {
  for (const waiter of [...waiters].filter(of)) waiter.wake();
}
