import { ProblemError } from '../verifier/problem.ts';

/** An event of `text/event-stream` (HTML §9.2). */
export interface ServerSentEvent {
  readonly event: string;
  readonly data: string;
}

/** Far larger than any event of the service. */
const MAX_EVENT_CHARACTERS = 2 * 1024 * 1024;
const LINE_END = /\r\n|\n|\r(?!$)/;

/** Parses a byte stream into events. An incomplete event at the end is dropped. */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The incomplete line. */
  #pieces: string[] = [];
  /** Of the incomplete event. */
  #size = 0;
  #event = '';
  #data: string[] = [];

  /** Returns the events that these bytes complete. @throws ProblemError `STATUS_TOO_LARGE` */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    const mayEndLine = /[\r\n]/.test(text) || this.#pieces.at(-1)?.endsWith('\r');
    this.#pieces.push(text);
    this.#size += text.length;
    const events = mayEndLine ? this.#takeLines() : [];
    if (this.#size > MAX_EVENT_CHARACTERS) {
      throw new ProblemError(
        'STATUS_TOO_LARGE',
        'An event is larger than any that the service sends.',
      );
    }
    return events;
  }

  #takeLines(): ServerSentEvent[] {
    const lines = this.#pieces.join('').split(LINE_END);
    const rest = lines.pop() ?? '';
    this.#pieces = [rest];
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      if (line === '') events.push(...this.#finish());
      else this.#take(line);
    }
    if (events.length > 0) this.#size = rest.length;
    return events;
  }

  #take(line: string): void {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
  }

  #finish(): ServerSentEvent[] {
    const event = { event: this.#event || 'message', data: this.#data.join('\n') };
    const isEmpty = this.#data.length === 0;
    this.#event = '';
    this.#data = [];
    return isEmpty ? [] : [event];
  }
}
