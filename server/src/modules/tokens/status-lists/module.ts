import { defineModule } from '../../../tenancy/module.ts';
import { expiring } from '../../../tenancy/sweep-store.ts';
import { signingKeysModule } from '../signing-keys/module.ts';
import { createTokenBits } from './bits.ts';
import { createStatusLists } from './service.ts';
import { revocationsSweep } from './store.ts';

const DEPENDENTS_KEPT_SECONDS = 5 * 60;

export const statusListsModule = defineModule('status lists', (core, use) => {
  const { gate, clock, config, watch } = core;
  const limits = config.statusStreams;
  const lists = createStatusLists({ ...core, ...use(signingKeysModule), limits });
  let stopStreams = () => Promise.resolve();
  return {
    offer: { bits: createTokenBits(gate, clock), lists },
    routes: (router) => lists.bind(router),
    sweeps: [
      expiring('status_dependents', 'expires_at', DEPENDENTS_KEPT_SECONDS),
      revocationsSweep,
    ],
    async start() {
      stopStreams = await lists.start(watch);
    },
    drain: () => lists.endStreams(),
    stop: () => stopStreams(),
  };
});
