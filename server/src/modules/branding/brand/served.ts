import type { TenantId } from '@keywright/contract/ids';
import { Image } from '../../../platform/http/replies.ts';
import type { Changes } from '../../../tenancy/changes.ts';
import type { Gate } from '../../../tenancy/gate.ts';
import { TenantCache } from '../../../tenancy/tenant-cache.ts';
import { findImage } from './store.ts';

/** Images that a node keeps: at most 16 MiB. */
const MOST = 64;
/** SHA-256, as our own pages write it. */
const DIGEST = /^[0-9a-f]{64}$/;

/** The image of a tenant at an address; undefined if it has none there. */
export type FindServed = (tenantId: TenantId, digest: string) => Promise<Image | undefined>;

interface Served {
  readonly tenantId: TenantId;
  readonly image: Image;
}

/** Anybody may ask, and reading one takes as long as thirty requests for what is at hand: each is read once. */
export function createFindServed(gate: Gate, changes: Changes): FindServed {
  const cache = new TenantCache(changes, {
    async load(key: `${TenantId} ${string}`): Promise<Served | undefined> {
      const [tenantId, digest] = key.split(' ') as [TenantId, string];
      const bytes = Buffer.from(digest, 'hex');
      const found = await gate.into(tenantId).transaction((tx) => findImage(tx, bytes));
      if (!found?.image || found.content_type === null) return undefined;
      return { tenantId, image: new Image(found.content_type, found.image) };
    },
    tenantOf: ({ tenantId }) => tenantId,
    most: MOST,
  });
  return async (tenantId, digest) => {
    if (!DIGEST.test(digest)) return undefined;
    return (await cache.find(`${tenantId} ${digest}`))?.image;
  };
}
