import { setTimeout as pause } from 'node:timers/promises';
import {
  CommandError,
  EXIT,
  type GivenOptions,
  type Outside,
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

interface EventPage {
  readonly items: readonly Event[];
  readonly meta: { readonly has_more?: boolean };
}

export const eventTail = remote<never>({
  name: 'event tail',
  summary: 'prints events, and goes on with new ones as they happen',
  details:
    'From the oldest that the service keeps (30 days), or behind --after. It asks every two seconds and ' +
    'misses none. Where the service cannot be reached for a while it says so once and goes on. With --json, ' +
    'one JSON object a line for each event. It runs until it is interrupted, or has printed --count events.',
  options: {
    ...optionsFor(ROW, ROUTES[ROW.route]),
    count: { value: 'N', help: 'ends when so many have been printed' },
    ...TARGET_OPTIONS,
  },
  examples: ['keywright event tail', 'keywright event tail --type user.login --json'],
  perform: async (options, outside) => {
    let left = readCount(options);
    let after = options.one('after');
    let state: 'new' | 'up' | 'down' = 'new';
    while (left > 0) {
      try {
        const { items, meta } = await ask(options, outside, after, left);
        for (const event of items) outside.print(lineFor(event, outside.isJson));
        left -= items.length;
        after = items.at(-1)?.id ?? after;
        state = 'up';
        if (meta.has_more) continue;
      } catch (error) {
        if (state === 'new' || !isPassing(error)) throw error;
        if (state === 'up') outside.complain(`keywright: ${plain(error.message)} Trying again.`);
        state = 'down';
      }
      if (left > 0) await pause(INTERVAL_MS);
    }
    return undefined;
  },
  render: () => '',
});

function ask(options: GivenOptions, outside: Outside, after: string | undefined, left: number) {
  const query = {
    ...options.field('type', 'type'),
    ...options.field('subject', 'subject'),
    ...(after === undefined ? {} : { after }),
    limit: Math.min(left, PAGE),
  };
  return onTarget(options, outside, async ({ client, call }) => {
    // The service says which kinds there are.
    const events = client.events.list(query as Parameters<typeof client.events.list>[0], call);
    return requirePage((await events.page()) as unknown as EventPage);
  });
}

/** Whether it is worth waiting: the service is restarted, or the network is gone. */
function isPassing(error: unknown): error is CommandError {
  return error instanceof CommandError && error.exitCode === EXIT.unavailable;
}

function lineFor(event: Event, isJson: boolean): string {
  return isJson
    ? plainJson(event)
    : columns([[event.created_at, event.type, event.data].map(cell)]);
}

function readCount(options: GivenOptions): number {
  const text = options.one('count');
  if (text === undefined) return Infinity;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError('--count takes a whole number from 1 on.');
}
