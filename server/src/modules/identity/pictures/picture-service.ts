import { hash } from 'node:crypto';
import type { Fail } from '@keywright/contract/errors';
import { parseUserId, type TenantId, type UserId } from '@keywright/contract/ids';
import type { UserRecord } from '@keywright/contract/records/user';
import { getPicture, MAX_PICTURE_BYTES } from '@keywright/contract/routes/pictures';
import { Image } from '../../../platform/http/replies.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Gate, TenantTx } from '../../../tenancy/gate.ts';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { requireMayActOnUser } from '../roles/index.ts';
import {
  findPicture,
  findUser,
  presentUser,
  putPicture,
  recordUpdate,
  updateUserRow,
} from '../users/index.ts';
import { type CleanPicture, cleanPicture } from './picture-image.ts';

/** A SHA-256 digest as the URLs of pictures contain it. */
const DIGEST = /^[0-9a-f]{64}$/;

type Refuse = Fail<'NOT_FOUND' | 'PRINCIPAL_PROTECTED' | 'SCOPE_NOT_HELD'>;

/** Uploaded pictures of users. */
export class PictureService {
  readonly #gate: Gate;

  constructor(gate: Gate) {
    this.#gate = gate;
  }

  async put(
    tenant: Tenant,
    caller: Caller,
    { id, image }: { readonly id: string; readonly image: string },
    fail: Fail<'VALIDATION_FAILED' | 'NOT_FOUND' | 'PRINCIPAL_PROTECTED' | 'SCOPE_NOT_HELD'>,
  ): Promise<UserRecord> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    const upload = requirePicture(image, fail);
    const digest = hash('sha256', upload.image, 'buffer');
    const issuer = tenant.issuer.replace(/\/$/, '');
    const picture = `${issuer}${getPicture.path.replace(':digest', digest.toString('hex'))}`;
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail);
      if ((await getUser(tx, userId, fail)).picture !== picture)
        await this.#change(tx, caller, userId, picture);
      await putPicture(tx, userId, { ...upload, digest });
      return getUser(tx, userId, fail);
    });
  }

  async delete(tenant: Tenant, caller: Caller, id: string, fail: Refuse): Promise<UserRecord> {
    const userId = parseUserId(id) ?? fail('NOT_FOUND');
    return this.#gate.into(tenant.id).transaction(async (tx) => {
      await requireMayActOnUser(tx, caller, userId, fail);
      if ((await getUser(tx, userId, fail)).picture === null) fail('NOT_FOUND');
      await this.#change(tx, caller, userId, null);
      return getUser(tx, userId, fail);
    });
  }

  /** The uploaded picture of a tenant's user with this digest. */
  async find(tenantId: TenantId, digest: string): Promise<Image | undefined> {
    if (!DIGEST.test(digest)) return undefined;
    const bytes = Buffer.from(digest, 'hex');
    const found = await this.#gate.into(tenantId).transaction((tx) => findPicture(tx, bytes));
    return found && new Image(found.content_type, found.image);
  }

  async #change(
    tx: TenantTx,
    caller: Caller,
    userId: UserId,
    picture: string | null,
  ): Promise<void> {
    await updateUserRow(tx, userId, { picture }, false);
    const change = { fields: ['picture'], ended: [], reason: 'revoked' } as const;
    await recordUpdate(tx, caller, userId, change);
  }
}

async function getUser(tx: TenantTx, id: UserId, fail: Fail<'NOT_FOUND'>): Promise<UserRecord> {
  const row = await findUser(tx, id);
  return row ? presentUser(row) : fail('NOT_FOUND');
}

function requirePicture(text: string, fail: Fail<'VALIDATION_FAILED'>): CleanPicture {
  const file = Buffer.from(text, 'base64');
  const refuse = (message: string) =>
    fail('VALIDATION_FAILED', { errors: [{ path: '/image', message }] });
  if (file.length > MAX_PICTURE_BYTES) refuse('is larger than 256 KiB');
  const cleaned = cleanPicture(file);
  return 'objection' in cleaned ? refuse(cleaned.objection) : cleaned;
}
