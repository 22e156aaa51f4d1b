import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

export interface Question {
  readonly name: string;
  readonly type: 'A' | 'AAAA';
}

export interface DnsServer {
  /** `address:port`. */
  readonly address: string;
  /** Every question so far, the oldest first. */
  readonly questions: readonly Question[];
  close(): Promise<void>;
}

/** The addresses of a name, of which those of the family asked for are sent; undefined: no answer at all. */
export type Zone = (question: Question) => readonly string[] | undefined;

/** A DNS server on loopback that answers A and AAAA over UDP (RFC 1035 §4), and NODATA where the zone has none. */
export async function startDnsServer(zone: Zone): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const questions: Question[] = [];
  socket.on('message', (query, peer) => {
    const end = query.indexOf(0, 12) + 5;
    const question: Question = {
      name: nameOf(query),
      type: query.readUInt16BE(end - 4) === 28 ? 'AAAA' : 'A',
    };
    questions.push(question);
    const addresses = zone(question)?.filter((one) => isIPv4(one) === (question.type === 'A'));
    if (addresses) socket.send(answer(query.subarray(0, end), addresses), peer.port, peer.address);
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

function answer(query: Buffer, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query);
  head.writeUInt16BE(0x8180, 2); // an answer without error
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8); // nothing beside it: the question's EDNS record is cut off
  const records = addresses.map((address) => {
    const data = bytesOf(address);
    const record = Buffer.from('c00c000000010000000000000000', 'hex').subarray(0, 12);
    record.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
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
