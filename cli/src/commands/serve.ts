import type { Service } from '../command.ts';

export const serve: Service = {
  kind: 'service',
  name: 'serve',
  summary: 'runs the service',
  details:
    'Brings the database up to date and serves until it is told to stop (SIGTERM, SIGINT). ' +
    'Everything it has to know is in the environment.',
  options: {},
  examples: ['keywright serve', 'KEYWRIGHT_PORT=8080 keywright serve'],
};
