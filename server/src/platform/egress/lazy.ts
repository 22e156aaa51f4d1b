import type { Socket } from 'node:net';
import type { Egress, EgressOptions, EgressRequest } from './egress.ts';
import { findObjection } from './address-rules.ts';
import { createDial, describeObjection, type MailServerAddress } from './mail-servers.ts';
import { type EgressOutcome, type Unanswered, unanswered } from './outcome.ts';
import { createFindTexts } from './names.ts';
import { EgressError } from './reasons.ts';

/**
 * An egress that is loaded on the first call: its libraries take memory and time, and many installations never call
 * out. URLs are judged without it.
 */
export class EgressWhenUsed implements Egress {
  readonly #options: EgressOptions;
  readonly #dial: Egress['connect'];
  readonly #findTexts: Egress['findTexts'];
  #loaded: Promise<Egress> | undefined;
  #isClosed = false;

  constructor(options: EgressOptions) {
    this.#options = options;
    this.#dial = createDial(options);
    this.#findTexts = createFindTexts(options);
  }

  get ca(): string | undefined {
    return this.#options.ca;
  }

  async send(request: EgressRequest): Promise<EgressOutcome> {
    if (this.#isClosed) return unanswered(new EgressError('closed'));
    this.#loaded ??= this.#load();
    return (await this.#loaded).send(request);
  }

  findObjection(url: string): Unanswered | undefined {
    return findObjection(this.#options.allow, url);
  }

  findObjectionToServer(server: MailServerAddress): string | undefined {
    return describeObjection(this.#options.allow, server);
  }

  async connect(server: MailServerAddress): Promise<Socket> {
    if (this.#isClosed) throw new EgressError('closed');
    return this.#dial(server);
  }

  async findTexts(name: string): Promise<readonly string[]> {
    if (this.#isClosed) throw new EgressError('closed');
    return this.#findTexts(name);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#loaded)?.close();
  }

  async #load(): Promise<Egress> {
    const { LoadedEgress } = await import('./egress.ts');
    return new LoadedEgress(this.#options);
  }
}
