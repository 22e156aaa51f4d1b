import type { Service } from '../command.ts';

export const serve: Service = {
  kind: 'service',
  name: 'serve',
  summary: 'run the service',
  details:
    'Applies pending migrations and serves until it is stopped (SIGTERM, SIGINT). Environment variables ' +
    'configure it.',
  options: {},
  examples: ['keywright serve', 'KEYWRIGHT_PORT=8080 keywright serve'],
};
