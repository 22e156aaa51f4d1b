import { connect } from 'node:net';
import type { Answer, JsonBody } from '../harness/http.ts';

const DEADLINE_MS = 5000;

/** Sends exactly these bytes to the service, and reads until the connection closes. */
export async function sendRaw(url: string, bytes: string): Promise<Answer<JsonBody>> {
  const { hostname, port } = new URL(url);
  const text = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error('the service did not hang up')));
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
    socket.write(Buffer.from(bytes, 'latin1'));
  });
  return readAnswer(text);
}

function readAnswer(text: string): Answer<JsonBody> {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const body = text.slice(end + 4);
  const headers = lines.map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers) as Answer<JsonBody>['headers'],
    body: body.startsWith('{') ? (JSON.parse(body) as JsonBody) : {},
    text: body,
  };
}
