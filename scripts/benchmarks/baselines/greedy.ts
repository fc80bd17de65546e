/**
 * One user who uses every limit of a server: `greedy.ts PORT TOKENS`. It sends lists that it does not read,
 * bodies that stop before their end, and requests that wait. A refused or cut request is repeated one second
 * later. It reports when every limit was reached.
 */
import { connect } from 'node:net';

interface Greed {
  readonly name: string;
  /** More connections than a user may have. */
  readonly connections: number;
  readonly sent: string;
}

const [port = '', tokens = '{}'] = process.argv.slice(2);
const HEADERS = Object.entries(JSON.parse(tokens) as Record<string, string>)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');
const LIST = '/catp/api/ext/produto?cpfCnpjRaiz=12345678';
const BODY_BYTES = 10_000_000;
const AGAIN_MS = 1000;

const posting = (length: number, body: string): string =>
  `POST /catp/api/ext/produto/12345678 HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n${HEADERS}\r\n${body}`;

const GREEDS: readonly Greed[] = [
  { name: 'lists', connections: 24, sent: `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\n${HEADERS}\r\n` },
  { name: 'bodies', connections: 12, sent: posting(BODY_BYTES, ' '.repeat(BODY_BYTES - 100_000)) },
  { name: 'requests', connections: 600, sent: posting(100, '{') },
];

const refusedGreeds = new Set<string>();

function hold({ name, sent }: Greed): void {
  const socket = connect({ port: Number(port), host: '127.0.0.1' }, () => socket.write(sent));
  let again = false;
  const afterwards = (): void => {
    if (again) return;
    again = true;
    socket.destroy();
    setTimeout(() => hold({ name, sent, connections: 1 }), AGAIN_MS);
  };
  socket.once('data', (bytes: Buffer) => {
    const isRefused = bytes.toString('latin1', 0, 12).endsWith(' 503');
    if (isRefused && !refusedGreeds.has(name)) {
      refusedGreeds.add(name);
      if (refusedGreeds.size === GREEDS.length) process.stdout.write(`pronto em http://127.0.0.1:${port}\n`);
    }
    if (bytes.toString('latin1', 0, 12).endsWith(' 200')) socket.pause();
    else afterwards();
  });
  socket.on('error', afterwards);
  socket.on('close', afterwards);
}

// One kind after the other: requests that wait would block the other kinds.
for (const [index, greed] of GREEDS.entries())
  setTimeout(() => {
    for (let n = 0; n < greed.connections; n += 1) hold(greed);
  }, index * AGAIN_MS);
process.on('SIGTERM', () => process.exit(0));
