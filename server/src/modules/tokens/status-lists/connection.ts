import { LiveConnection } from '../../../platform/http/live.ts';

/** One reader of a stream. */
export class Connection extends LiveConnection {
  /** The version last sent; undefined before the first event. */
  version: number | undefined;
  /** Missed changes are being sent. */
  isCatchingUp = false;

  /** @param version that the event leads to */
  send(text: string, version: number): void {
    this.version = version;
    this.write(text);
  }
}
