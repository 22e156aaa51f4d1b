// The pages of galleries, each at its own address, with its original body and headers but without the steps to it.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { getStylesheet } from '@keywright/contract/routes/assets';
import { STYLESHEETS } from '@keywright/server/platform/http/pages/account-look';
import { LOOK_FILE } from '@keywright/server/platform/http/pages/look';
import type { Gallery } from './world.ts';

export interface Stage {
  /** Where a page is shown. */
  addressOf(locale: string, name: string): string;
  readonly origin: string;
  close(): Promise<void>;
}

const FONT_FOLDER = new URL('../../server/fonts/', import.meta.url);

/** Specific to the original connection, or irrelevant here. */
const DROPPED_HEADERS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'set-cookie',
  'date',
]);

/** @param galleries by the language of their pages */
export async function openStage(galleries: ReadonlyMap<string, Gallery>): Promise<Stage> {
  const server = createServer(({ url = '' }, response) => {
    if (url.includes(getStylesheet.path)) {
      const file = STYLESHEETS.find(({ digest }) => url.includes(digest)) ?? LOOK_FILE;
      void file.read(undefined).then(({ bytes }) => {
        response.writeHead(200, { 'content-type': 'text/css' }).end(bytes);
      });
      return;
    }
    if (url.includes('/assets/fonts/')) {
      const font = readFileSync(new URL(basename(url), FONT_FOLDER));
      response.writeHead(200, { 'content-type': 'font/woff2' }).end(font);
      return;
    }
    const [, locale = '', name = ''] = url.split('/').map(decodeURIComponent);
    const seen = galleries.get(locale)?.get(name)?.seen;
    if (!seen) {
      response.writeHead(404).end();
      return;
    }
    const headers = Object.entries(seen.headers).filter(([header]) => !DROPPED_HEADERS.has(header));
    response.writeHead(seen.status, Object.fromEntries(headers) as Record<string, string>);
    response.end(seen.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    addressOf: (locale, name) => `${origin}/${locale}/${encodeURIComponent(name)}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
