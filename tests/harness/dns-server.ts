import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA' | 'TXT';
}

export interface DnsServer {
  /** `address:port`. */
  readonly address: string;
  /** Every question so far, the oldest first. */
  readonly questions: readonly Question[];
  close(): Promise<void>;
}

const TYPES: ReadonlyMap<number, Question['type']> = new Map([
  [1, 'A'],
  [28, 'AAAA'],
  [16, 'TXT'],
]);

/**
 * Returns the texts of a name, or its addresses. The server sends only addresses of the requested family. Undefined:
 * the server does not respond.
 */
export type Zone = (question: Question) => readonly string[] | undefined;

/** A DNS server on loopback for A, AAAA and TXT over UDP (RFC 1035 §4). Responds NODATA if the zone has no record. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: Question[] = [];
  socket.on('message', (query, peer) => {
    const end = query.indexOf(0, 12) + 5;
    const question: Question = {
      name: nameOf(query),
      type: TYPES.get(query.readUInt16BE(end - 4)) ?? 'A',
    };
    questions.push(question);
    const all = zone(question);
    const isOfType = (ip: string) => isIPv4(ip) === (question.type === 'A');
    const records =
      question.type === 'TXT' ? all?.map(textBytes) : all?.filter(isOfType).map(bytesOf);
    const head = query.subarray(0, end);
    if (records) socket.send(answer(head, question.type, records), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { address, port } = socket.address();
  const close = async () => {
    socket.close();
    await once(socket, 'close');
  };
  return { address: `${address}:${port}`, questions, close };
}

function nameOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12, length = 0; (length = query[at] ?? 0) > 0; at += length + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
  }
  return labels.join('.').toLowerCase();
}

function answer(query: Buffer, type: Question['type'], data: readonly Buffer[]): Buffer {
  const [code = 1] = [...TYPES].find(([, name]) => name === type) ?? [];
  const head = Buffer.from(query);
  head.writeUInt16BE(0x8180, 2); // an answer without error
  head.writeUInt16BE(data.length, 6);
  head.writeUInt32BE(0, 8); // no other records: the question's EDNS record is cut off
  const records = data.map((bytes) => {
    const record = Buffer.from('c00c000000010000000000000000', 'hex').subarray(0, 12);
    record.writeUInt16BE(code, 2);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, ...records]);
}

/** A text of at most 255 bytes (RFC 1035 §3.3). */
function textBytes(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
}

/** Addresses as they stand in records; the URL parser has no double colon left in what it is given here. */
function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array.from({ length: missing }, () => '0'), ...groups(right)];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
