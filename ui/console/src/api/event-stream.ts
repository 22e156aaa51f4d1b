import type { EventRecord } from '@keywright/contract/events';

/** Parses a stream of server-sent events (HTML §9.2.6), as far as the service uses the format. */
export class EventParser {
  #rest = '';

  /** @returns the complete events */
  take(text: string): EventRecord[] {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      return data === undefined ? [] : [JSON.parse(data.slice(6)) as EventRecord];
    });
  }
}
