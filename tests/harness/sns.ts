// Amazon SNS, limited to its notifications.

import { createSign, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Core } from '@keywright/server/tenancy/module';
import { Authority } from './certificate.ts';

const HOST = 'https://sns.eu-west-1.amazonaws.com';
const CERTIFICATE_URL = `${HOST}/SimpleNotificationService-0123456789abcdef.pem`;

export type Notification = Readonly<Record<string, string>>;

export interface FakeSns {
  /** The requested paths. */
  readonly requestedPaths: readonly string[];
  /**
   * Routes requests for its host to this server. All other requests go through the guard as usual. @returns a function
   * that ends the routing
   */
  reroute(core: Core): () => void;
  /** A signed notification. */
  sign(fields: Readonly<Record<string, unknown>>, version?: '1' | '2'): Notification;
  close(): Promise<void>;
}

export async function startSns({ isExpired = false } = {}): Promise<FakeSns> {
  const { cert, key } = new Authority().issue(['sns.amazonaws.com'], { isRsa: true, isExpired });
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    response.end(request.url?.endsWith('.pem') ? cert : '<ConfirmSubscriptionResponse/>');
  });
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requestedPaths,
    reroute({ egress }) {
      const send = egress.send.bind(egress);
      Object.assign(egress, {
        send: (request: Parameters<typeof send>[0]) =>
          send({ ...request, url: request.url.replace(HOST, origin) }),
      });
      return () => Object.assign(egress, { send });
    },
    sign(fields, version = '2') {
      const notification: Record<string, string> = {
        Type: 'Notification',
        MessageId: randomUUID(),
        TopicArn: 'arn:aws:sns:eu-west-1:123456789012:bounces',
        Timestamp: new Date().toISOString(),
        SigningCertURL: CERTIFICATE_URL,
        ...(fields as Record<string, string>),
        SignatureVersion: version,
      };
      const names =
        notification['Type'] === 'Notification'
          ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
          : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
      const signer = createSign(version === '1' ? 'sha1' : 'sha256');
      for (const name of names) {
        if (notification[name] !== undefined) signer.update(`${name}\n${notification[name]}\n`);
      }
      return { ...notification, Signature: signer.sign(key, 'base64') };
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
