import { cycles, httpRequest, type Traffic } from '../measure/traffic.ts';
import { createMachines, type TenantKey } from '../target/machines.ts';
import { betterAuth } from './peers.ts';
import { API, bearerOf, type Row } from './row.ts';

const KEYS = 500;

/** GET /me with the API keys of many agents, which only needs to look up the key. */
export const apiKey: Row = {
  name: 'api-key',
  floor: 'bare-http',
  bar: { peerTimes: 4 },
  peers: { 'better-auth': betterAuth.apiKey },
  async traffic(scene) {
    const { tenantId } = scene.seed;
    const machines = await createMachines(scene, KEYS);
    return keysOf(
      machines.map(({ key }) => ({ tenantId, key })),
      scene.connections,
    );
  },
};

/** GET /me with these keys, round-robin. */
export function keysOf(keys: readonly TenantKey[], connections: number): Traffic {
  return {
    scripts: cycles(keys.map(keyRequest), connections),
    expected: { status: 200, contains: '"id":"service:' },
  };
}

export function keyRequest({ tenantId, key }: TenantKey): string {
  return httpRequest('GET', `${API}/me`, bearerOf(tenantId, key));
}
