import type { Service } from '../command.ts';

export const serve: Service = {
  kind: 'service',
  name: 'serve',
  summary: 'run the service',
  details:
    'Applies pending migrations and serves until stopped (SIGTERM, SIGINT). It is configured by ' +
    'environment variables.',
  options: {},
  examples: ['keywright serve', 'KEYWRIGHT_PORT=8080 keywright serve'],
};
