import type { UserRecord } from '@keywright/contract/records/user';
import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import { expectStatus } from './http.ts';
import type { TestTenant, TestUser } from './tenant.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A chunk of a PNG, with its checksum. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typed));
  return Buffer.concat([length, typed, sum]);
}

interface Png {
  /** In pixels, as the header states it; default 1. */
  readonly side?: number;
  /** Between the header and the pixels. */
  readonly extra?: readonly Buffer[];
}

/** A PNG of one pixel, in a random color. */
export function newPng({ side = 1, extra = [] }: Png = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // 8 bits for each of red, green and blue.
  header.set([8, 2], 8);
  const pixels = deflateSync(Buffer.concat([Buffer.of(0), randomBytes(3)]));
  return Buffer.concat([
    SIGNATURE,
    pngChunk('IHDR', header),
    ...extra,
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A new picture as a request contains it. */
export function newPicture(): string {
  return newPng().toString('base64');
}

/** Uploads a picture for the user. @returns the digest in its URL */
export async function storePicture(tenant: TestTenant, { user }: TestUser): Promise<string> {
  const options = { token: await tenant.adminToken(), body: { image: newPicture() } };
  const answer = await tenant.request<UserRecord>('PUT', `/users/${user.id}/picture`, options);
  return expectStatus(200, answer).picture?.slice(-64) ?? '';
}
