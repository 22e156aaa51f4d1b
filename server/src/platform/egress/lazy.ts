import type { Egress, EgressOptions } from './egress.ts';
import { findObjection } from './guard.ts';
import { createDial, describeObjection } from './mail-servers.ts';
import { unanswered } from './outcome.ts';
import { createFindTexts } from './names.ts';
import { EgressError } from './reasons.ts';

/**
 * An egress that is loaded on the first call: its libraries take memory and time, and many installations never call
 * out. URLs are judged without it.
 */
export function createLazyEgress(options: EgressOptions): Egress {
  let loaded: Promise<Egress> | undefined;
  let isClosed = false;
  const dial = createDial(options);
  const findTexts = createFindTexts(options);

  async function load(): Promise<Egress> {
    const { createEgress } = await import('./egress.ts');
    return createEgress(options);
  }

  return {
    async send(request) {
      if (isClosed) return unanswered(new EgressError('closed'));
      loaded ??= load();
      return (await loaded).send(request);
    },
    findObjection: (url) => findObjection(options.allow, url),
    findObjectionToServer: (server) => describeObjection(options.allow, server),
    async connect(server) {
      if (isClosed) throw new EgressError('closed');
      return dial(server);
    },
    async findTexts(name) {
      if (isClosed) throw new EgressError('closed');
      return findTexts(name);
    },
    ca: options.ca,
    async close() {
      isClosed = true;
      await (await loaded)?.close();
    },
  };
}
