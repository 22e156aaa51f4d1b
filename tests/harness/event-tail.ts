import { request } from 'node:http';
import type { EventRecord } from '@keywright/contract/events';

/** One connection that follows the event log. */
export interface Tail {
  readonly status: number;
  /** All that came. */
  readonly text: () => string;
  readonly events: () => EventRecord[];
  readonly isOver: () => boolean;
  /** Whether the stream was ended, as opposed to cut off. */
  readonly isWhole: () => boolean;
  readonly close: () => void;
}

/** @param path of the stream */
export function followEvents(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Tail> {
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(path, url), { agent: false, headers });
    outgoing.on('error', reject);
    outgoing.on('response', (incoming) => {
      let text = '';
      let isOver = false;
      incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      incoming.on('close', () => (isOver = true)).on('error', () => undefined);
      resolve({
        status: incoming.statusCode ?? 0,
        text: () => text,
        events: () => eventsIn(text),
        isOver: () => isOver,
        isWhole: () => incoming.complete,
        close: () => outgoing.destroy(),
      });
    });
    outgoing.end();
  });
}

function eventsIn(text: string): EventRecord[] {
  return [...text.matchAll(/^data: (.*)\n\n/gm)].map(
    ([, json = '']) => JSON.parse(json) as EventRecord,
  );
}
