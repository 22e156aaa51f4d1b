import type { EventRecord } from '@keywright/contract/events';
import { useEffect, useState } from 'react';
import { openStream } from '../../api/call.ts';
import { EventParser } from '../../api/event-stream.ts';
import { asProblem, type Problem } from '../../api/problem.ts';
import { goToLogin } from '../../url/login.ts';

const SHOWN = 200;
const AGAIN_MS = 2000;

interface Tail {
  /** The newest first. */
  readonly events: readonly EventRecord[];
  readonly state: 'connecting' | 'live' | 'paused';
  readonly problem: Problem | undefined;
  /** Reconnects without waiting for the next attempt. */
  readonly tryAgain: () => void;
}

/** Follows the events of a tenant while the page is visible, and resumes where it stopped. */
export function useTail(tenant: string, type: string, isPaused: boolean): Tail {
  const [events, setEvents] = useState<readonly EventRecord[]>([]);
  const [state, setState] = useState<Tail['state']>('connecting');
  const [problem, setProblem] = useState<Problem | undefined>();
  const [attempt, setAttempt] = useState(0);
  const isSeen = useIsSeen();
  const [last] = useState<{ id: string | undefined; of: string }>({ id: undefined, of: '' });
  const of = `${tenant} ${type}`;

  useEffect(() => {
    if (last.of !== of) {
      last.of = of;
      last.id = undefined;
      setEvents([]);
    }
    if (isPaused || !isSeen) {
      setState('paused');
      return undefined;
    }
    const ending = new AbortController();
    const show = (found: readonly EventRecord[]) => {
      last.id = found.at(-1)?.id ?? last.id;
      setEvents((shown) => [...found.toReversed(), ...shown].slice(0, SHOWN));
    };
    const report = (now: Tail['state'], wrong?: Problem) => {
      setState(now);
      setProblem(wrong);
    };
    const reader = { tenant, type, last, show, report, signal: ending.signal };
    void keepFollowing(reader);
    return () => ending.abort();
  }, [tenant, type, of, isPaused, isSeen, last, attempt]);
  return { events, state, problem, tryAgain: () => setAttempt((count) => count + 1) };
}

interface Reader {
  readonly tenant: string;
  readonly type: string;
  readonly last: { readonly id: string | undefined };
  readonly show: (found: readonly EventRecord[]) => void;
  readonly report: (state: Tail['state'], problem?: Problem) => void;
  readonly signal: AbortSignal;
}

/** The service ends a stream when its node or its login ends. The next stream resumes where it ended. */
async function keepFollowing(reader: Reader): Promise<void> {
  const { tenant, report, signal } = reader;
  while (!signal.aborted) {
    let problem: Problem | undefined;
    try {
      await follow(reader);
    } catch (error) {
      problem = asProblem(error);
    }
    if (signal.aborted) return;
    if (problem?.status === 401) return goToLogin(tenant);
    report('connecting', problem);
    if (problem && problem.status >= 400 && problem.status < 500) return;
    await pause(AGAIN_MS, signal);
  }
}

async function follow({ tenant, type, last, show, report, signal }: Reader): Promise<void> {
  report('connecting');
  const stream = await openStream(tenant, 'events.stream', { query: { type } }, last.id, signal);
  report('live');
  const parser = new EventParser();
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const found = parser.take(text);
    if (found.length > 0) show(found);
  }
}

/** Whether the page is visible. */
function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(!document.hidden);
  useEffect(() => {
    const look = () => setSeen(!document.hidden);
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, []);
  return isSeen;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
