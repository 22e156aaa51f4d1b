import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { crc32 } from 'node:zlib';
import type { ErrorBody } from '@keywright/contract/errors';
import type { UserRecord } from '@keywright/contract/records/user';
import { type Answer, expectStatus } from '@keywright/tests/harness/http';
import { type Keywright, startKeywright } from '@keywright/tests/harness/keywright';
import { newPng, pngChunk } from '@keywright/tests/harness/picture';
import type { TestTenant, TestUser } from '@keywright/tests/harness/tenant';
import { cleanPicture } from './picture-image.ts';

let keywright: Keywright;
let tenant: TestTenant;
let other: TestTenant;

before(async () => {
  keywright = await startKeywright();
  tenant = await keywright.tenant('pictured');
  other = await keywright.tenant('unpictured');
});
after(() => keywright.close());

type Uploaded = Answer<UserRecord & ErrorBody>;

function upload(token: string, file: Buffer, path = '/me/picture'): Promise<Uploaded> {
  return tenant.request('PUT', path, { token, body: { image: file.toString('base64') } });
}

/** The path of the picture at the issuer, without its host. */
const pathOf = (picture: string | null) => new URL(picture ?? '').pathname;

async function pictured(): Promise<{ user: TestUser; picture: string }> {
  const user = await tenant.createUser();
  const { picture } = expectStatus(200, await upload(user.token, newPng()));
  return { user, picture: picture ?? '' };
}

const statusOf = async (path: string) => (await keywright.request('GET', path)).status;

describe('an uploaded picture', () => {
  test('A user uploads a picture, which is served to anyone with its URL and can contain nothing that runs', async () => {
    const { user, picture } = await pictured();
    assert.match(picture, /\/t\/org_pictured\/pictures\/[0-9a-f]{64}$/);
    const me = await tenant.request<UserRecord>('GET', '/me', { token: user.token });
    assert.equal(expectStatus(200, me).picture, picture);
    const { status, headers } = await keywright.request('GET', pathOf(picture));
    assert.deepEqual([status, headers['content-type']], [200, 'image/png']);
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['content-security-policy']), /default-src 'none'/);
    assert.match(String(headers['cache-control']), /immutable/);
  });

  test('A picture remains available at its URL after the issuer changes, and the next upload has the new issuer', async () => {
    const moving = await keywright.tenant('moving');
    const { token, identifier, password } = await moving.createUser();
    const put = async (as: string) => {
      const body = { image: newPng().toString('base64') };
      const reply = await moving.request<UserRecord>('PUT', '/me/picture', { token: as, body });
      return expectStatus(200, reply).picture;
    };
    const first = await put(token);
    const issuer = 'https://id.moving.test';
    const change = { token: await keywright.adminToken(), body: { issuer } };
    expectStatus(200, await keywright.home.request('PATCH', `/tenants/${moving.id}`, change));
    assert.equal(await statusOf(pathOf(first)), 200);
    const second = await put((await moving.login(identifier, password)).access_token);
    assert.equal(second?.startsWith(`${issuer}/pictures/`), true, String(second));
    assert.equal(await statusOf(pathOf(first)), 404);
  });

  test('A picture is not served to another tenant, nor after it is replaced or deleted, nor after its user is deleted', async () => {
    const { user, picture } = await pictured();
    assert.equal(await statusOf(pathOf(picture).replace(tenant.id, other.id)), 404);
    const second = expectStatus(200, await upload(user.token, newPng())).picture;
    assert.deepEqual([await statusOf(pathOf(picture)), await statusOf(pathOf(second))], [404, 200]);
    const gone = await tenant.request<UserRecord>('DELETE', '/me/picture', { token: user.token });
    assert.equal(expectStatus(200, gone).picture, null);
    assert.equal(await statusOf(pathOf(second)), 404);
    const third = expectStatus(200, await upload(user.token, newPng())).picture;
    const options = { token: user.token, body: { picture: 'https://cdn.example.com/ada.png' } };
    expectStatus(200, await tenant.request('PATCH', '/me', options));
    assert.equal(await statusOf(pathOf(third)), 404);
    const last = expectStatus(200, await upload(user.token, newPng())).picture;
    const path = `/users/${user.user.id}`;
    const token = await tenant.adminToken();
    expectStatus(200, await tenant.request('DELETE', path, { token }));
    assert.equal(await statusOf(pathOf(last)), 404);
  });

  test('An administrator uploads and deletes the picture of a user; a user without the scope, an anonymous caller and another tenant cannot', async () => {
    const { user } = await tenant.createUser();
    const path = `/users/${user.id}/picture`;
    const mallory = await tenant.createUser();
    assert.equal((await upload(mallory.token, newPng(), path)).status, 403);
    const body = { image: newPng().toString('base64') };
    assert.equal((await tenant.request('PUT', path, { body })).status, 401);
    assert.equal((await tenant.request('PUT', '/me/picture', { body })).status, 401);
    const foreign = { token: await other.adminToken(), body };
    assert.equal((await other.request('PUT', path, foreign)).status, 404);
    const token = await tenant.adminToken();
    assert.notEqual(expectStatus(200, await upload(token, newPng(), path)).picture, null);
    const gone = await tenant.request<UserRecord>('DELETE', path, { token });
    assert.equal(expectStatus(200, gone).picture, null);
  });
});

describe('a file that is not an acceptable picture', () => {
  const damaged = newPng();
  damaged.writeUInt8(damaged.readUInt8(20) ^ 1, 20);
  const refused: Readonly<Record<string, Buffer>> = {
    'an SVG with a script': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'),
    'a page': Buffer.from('<!doctype html><script>alert(1)</script>'),
    'a GIF': Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0;', 'latin1'),
    'a damaged PNG': damaged,
    'a PNG that decodes to too many pixels': newPng({ side: 2049 }),
    'a PNG without pixels': newPng({ side: 0 }),
    'an animated PNG': newPng({ extra: [pngChunk('acTL', Buffer.alloc(8))] }),
    'a PNG that ends early': newPng().subarray(0, -12),
    'only the start of a JPEG': Buffer.from('ffd8ffe000104a464946', 'hex'),
    'a WebP without an image': Buffer.from('RIFF\u0004\0\0\0WEBP', 'latin1'),
    'a file over 256 KiB': Buffer.concat([newPng(), Buffer.alloc(256 * 1024)]),
  };
  for (const [what, file] of Object.entries(refused)) {
    test(`A file that is not an acceptable picture is rejected: ${what}`, async () => {
      const { token } = await tenant.createUser();
      const answer = await upload(token, file);
      assert.equal(expectStatus(400, answer).code, 'VALIDATION_FAILED');
    });
  }
});

const HIDDEN = Buffer.from('GPS 52.5,13.4 <script>alert(1)</script> PK\u0003\u0004');

/** A JPEG of one gray pixel, with what is to be removed. */
function jpegWith(...extra: readonly Buffer[]): Buffer {
  const segment = (marker: number, data: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(data.length + 2, 2);
    return Buffer.concat([head, data]);
  };
  const frame = Buffer.from([8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...extra.map((data) => segment(0xe1, data)),
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x7f, 0xff, 0x00, 0x10, 0xff, 0xd9]),
  ]);
}

function webpWith(...extra: readonly Buffer[]): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)]);
  };
  const body = Buffer.concat([
    chunk('VP8X', Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0])),
    ...extra.map((data) => chunk('EXIF', data)),
    chunk('VP8L', Buffer.from([0x2f, 0, 0, 0, 0, 7, 16, 17])),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(body.length + 4);
  return Buffer.concat([Buffer.from('RIFF'), length, Buffer.from('WEBP'), body]);
}

describe('what a picture does not need', () => {
  const files: Readonly<Record<string, readonly [plain: Buffer, hiding: Buffer]>> = {
    JPEG: [jpegWith(), Buffer.concat([jpegWith(HIDDEN), HIDDEN])],
    WebP: [webpWith(), Buffer.concat([webpWith(HIDDEN), HIDDEN])],
  };
  for (const [format, [plain, hiding]] of Object.entries(files)) {
    test(`Metadata, unknown parts and bytes after the image are removed from a ${format}`, () => {
      const [kept, cleaned] = [cleanPicture(plain), cleanPicture(hiding)];
      assert.ok('image' in kept && 'image' in cleaned);
      assert.deepEqual(cleaned.image, kept.image);
      assert.equal(cleaned.image.includes('script'), false);
    });
  }

  test('A WebP without its metadata does not announce any', () => {
    const cleaned = cleanPicture(webpWith(HIDDEN));
    assert.ok('image' in cleaned);
    assert.equal(cleaned.image.toString('latin1', 12, 16), 'VP8X');
    assert.equal(cleaned.image[20], 0);
  });

  test('Metadata, unknown parts and bytes after the image are removed from a PNG', () => {
    const hiding = newPng({ extra: [pngChunk('tEXt', HIDDEN), pngChunk('eXIf', HIDDEN)] });
    const cleaned = cleanPicture(Buffer.concat([hiding, HIDDEN]));
    assert.ok('image' in cleaned);
    assert.equal(cleaned.image.includes('script'), false);
    assert.equal(cleaned.image.readUInt32BE(29), crc32(cleaned.image.subarray(12, 29)));
  });

  test('A JPEG or WebP of more than 2048 pixels on a side is rejected', () => {
    const jpeg = jpegWith();
    jpeg.writeUInt16BE(2049, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5);
    const webp = webpWith();
    webp.writeUIntLE(2048, 24, 3);
    for (const file of [jpeg, webp]) assert.ok('objection' in cleanPicture(file));
  });

  test('A JPEG of so many scans that a browser needs seconds to draw it is rejected', () => {
    const jpeg = jpegWith();
    const at = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const scans = (count: number) => Array.from({ length: count }, () => jpeg.subarray(at, -2));
    const drawn = (count: number) =>
      cleanPicture(Buffer.concat([jpeg.subarray(0, at), ...scans(count), jpeg.subarray(-2)]));
    assert.ok('image' in drawn(100));
    assert.ok('objection' in drawn(101));
  });
});
