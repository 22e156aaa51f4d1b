import { createHash } from 'node:crypto';
import type { Keywright } from '../harness/keywright.ts';
import type { TestTenant } from '../harness/tenant.ts';

/** No server answers there. */
const ADDRESS = 'https://a.example.com/logo.svg';
export const LOGOS = { logo_url: ADDRESS, logo_dark_url: ADDRESS };

/** @returns the digest of its logos, which is unique to the tenant */
export async function storeLogos({ database }: Keywright, { id }: TestTenant): Promise<string> {
  const image = `<svg><title>${id}</title></svg>`;
  const digest = createHash('sha256').update(image).digest();
  await database.query(
    `UPDATE logos SET status = 'stored', content_type = 'image/svg+xml', digest = $2, image = $3
      WHERE tenant_id = $1`,
    [id, digest, Buffer.from(image)],
  );
  return digest.toString('hex');
}
