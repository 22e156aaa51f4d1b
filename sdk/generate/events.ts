import { EVENTS } from '@keywright/contract/events';
import { comment, type Schema, typeOf } from './types.ts';

/** Returns `sdk/src/generated/events.ts`: every event type with its data. */
export function eventsFile(): string {
  const kinds = Object.entries(EVENTS).map(([name, { meaning, data }]) => {
    return `${comment(meaning, '  ')}  readonly '${name}': ${typeOf(data as Schema, '  ')};\n`;
  });
  return `/** What the data of an event holds, by the kind of the event. */
export interface EventData {
${kinds.join('')}}

/** An event of one kind, as a webhook gets it and as the log of events holds it. */
export interface EventOf<Type extends keyof EventData> {
  /** evt_<id>; the same for every delivery of the event. */
  readonly id: string;
  readonly type: Type;
  readonly created_at: string;
  readonly data: EventData[Type];
}

/** An event of any kind: its \`type\` tells what its \`data\` holds. */
export type WebhookEvent = { [Type in keyof EventData]: EventOf<Type> }[keyof EventData];
`;
}
