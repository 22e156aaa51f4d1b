import type { RowRecord } from './record.ts';

/** A record for tests. */
export const RECORD: RowRecord = {
  row: 'refresh',
  party: 'keywright',
  at: '2026-11-30T12:00:00.000Z',
  commit: 'abc',
  node: 'v26.10.0',
  database: 'PostgreSQL 18.4',
  cores: 2,
  connections: 32,
  seconds: 3,
  rounds: 5,
  log: 'info',
  server_micros: 150,
  database_micros: 50,
  spread: 0.1,
  others_cores: 0,
  floor: { name: 'sign', micros: 40, per_second: 25_000 },
  share: 0.9,
  share_by_cpu: 0.9,
  p50_ms: 4,
  p99_ms: 12,
  per_second: 5000,
  resident_mb: 200,
  probes_p99_ms: { livez: 5, me: 12 },
  floor_p99_ms: 10,
};
