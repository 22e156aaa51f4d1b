import { setTimeout as pause } from 'node:timers/promises';
import {
  CommandError,
  EXIT,
  type ParsedOptions,
  type Context,
  remote,
  UsageError,
} from '../command.ts';
import { ROUTES } from '../generated/routes.ts';
import { columns, plain, plainJson } from '../layout.ts';
import { onTarget, requirePage } from '../remote/connection.ts';
import { optionsFor } from '../remote/fields.ts';
import { cell } from '../remote/render.ts';
import { TARGET_OPTIONS } from '../remote/target.ts';

const PAGE = 100;
const INTERVAL_MS = 2000;
const ROW = { name: 'event tail', route: 'events.list', summary: '', examples: [] } as const;

interface Event {
  readonly id: string;
  readonly created_at: string;
  readonly type: string;
  readonly data: unknown;
}

export const eventTail = remote<never>({
  name: 'event tail',
  summary: 'print events, and follow new ones',
  details:
    'Starts with the oldest event that the service retains (30 days), or after --after. Polls every two ' +
    'seconds, and misses no event. Retries while the service is unreachable. With --json, prints one JSON ' +
    'object per line. Runs until it is interrupted, or until --count events are printed.',
  options: {
    ...optionsFor(ROW, ROUTES[ROW.route]),
    count: { value: 'N', help: 'stop after this many events' },
    ...TARGET_OPTIONS,
  },
  examples: ['keywright event tail', 'keywright event tail --type user.login --json'],
  perform: async (options, context) => {
    let left = readCount(options);
    let after = options.get('after');
    let state: 'new' | 'up' | 'down' = 'new';
    while (left > 0) {
      try {
        const { items, meta } = await fetchEvents(options, context, after, left);
        for (const event of items) context.print(lineFor(event, context.isJson));
        left -= items.length;
        after = items.at(-1)?.id ?? after;
        state = 'up';
        if ('has_more' in meta && meta.has_more === true) continue;
      } catch (error) {
        if (state === 'new' || !isTransient(error)) throw error;
        if (state === 'up') context.printError(`keywright: ${plain(error.message)} Retrying.`);
        state = 'down';
      }
      if (left > 0) await pause(INTERVAL_MS);
    }
    return undefined;
  },
  render: () => '',
});

function fetchEvents(
  options: ParsedOptions,
  context: Context,
  after: string | undefined,
  left: number,
) {
  const query = {
    ...options.field('type', 'type'),
    ...options.field('subject', 'subject'),
    ...(after === undefined ? {} : { after }),
    limit: Math.min(left, PAGE),
  };
  return onTarget(options, context, async ({ client, call }) => {
    // The service validates the type.
    const events = client.events.list(query as Parameters<typeof client.events.list>[0], call);
    return requirePage(await events.page());
  });
}

/** Whether to retry because the service is restarting or the network is down. */
function isTransient(error: unknown): error is CommandError {
  return error instanceof CommandError && error.exitCode === EXIT.unavailable;
}

function lineFor(event: Event, isJson: boolean): string {
  return isJson
    ? plainJson(event)
    : columns([[event.created_at, event.type, event.data].map(cell)]);
}

function readCount(options: ParsedOptions): number {
  const text = options.get('count');
  if (text === undefined) return Infinity;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--count must be a positive integer.');
}
