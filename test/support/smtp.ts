/** SMTP servers on the loopback: a real one, and one with responses that a test defines. */
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { certificateFiles, serverCertificate } from './tls.ts';

export interface ReceivedEmail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body as received. */
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

export interface TestSmtp {
  readonly port: number;
  /** The accepted messages, the newest last. */
  readonly received: readonly ReceivedEmail[];
  /** The number of connections so far. */
  readonly connections: () => number;
  /** Returns the response code with which a recipient is refused. `undefined`: the recipient is accepted. */
  refuses: (recipient: string) => number | undefined;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface SmtpOptions {
  /** `tls`: from the start; `starttls`: offered; `clear`: never. */
  readonly way?: 'tls' | 'starttls' | 'clear';
  readonly login?: { readonly user: string; readonly pass: string };
  /** Certificate and key in place of the pair that tests trust. */
  readonly pair?: { readonly cert: string; readonly key: string };
  /** Default: any free port. */
  readonly port?: number;
}

export async function openSmtp({ way = 'tls', login, pair, port = 0 }: SmtpOptions = {}): Promise<TestSmtp> {
  const received: ReceivedEmail[] = [];
  let connections = 0;
  const { cert, key } = pair ?? (await serverCertificate());
  const disabled = [...(way === 'starttls' ? [] : ['STARTTLS']), ...(login === undefined ? ['AUTH'] : [])];
  const options: SMTPServerOptions = {
    secure: way === 'tls',
    cert,
    key,
    disabledCommands: disabled,
    authOptional: login === undefined,
    disableReverseLookup: true,
    onConnect: (_session, done) => {
      connections += 1;
      done();
    },
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === login?.user && password === login?.pass;
      if (isRight) done(null, { user: username });
      else done(new Error(`wrong: ${password}`));
    },
    onRcptTo: ({ address }, _session, done) => {
      const code = smtp.refuses(address);
      if (code === undefined) done();
      else done(Object.assign(new Error('no such mailbox'), { responseCode: code }));
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
          isSecure: session.secure === true,
          user: typeof session.user === 'string' ? session.user : undefined,
        });
        done();
      });
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const smtp: TestSmtp = {
    port: (server.server.address() as AddressInfo).port,
    received,
    connections: () => connections,
    refuses: () => undefined,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
  return smtp;
}

/** Returns the decoded text and HTML of a message, and its headers. */
export function partsOf({ raw }: Pick<ReceivedEmail, 'raw'>) {
  const decoded = (kind: string): string => {
    const part = raw.split(/^----_.*$/m).find((one) => one.includes(`Content-Type: ${kind}`)) ?? '';
    const [, body = ''] = /\r\n\r\n([^]*)$/.exec(part) ?? [];
    if (!part.includes('quoted-printable')) return body.replaceAll('\r\n', '\n');
    const bytes = body
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
  };
  return {
    head: raw.slice(0, raw.indexOf('\r\n\r\n')),
    text: decoded('text/plain'),
    html: decoded('text/html'),
  };
}

/** Opens a server whose behaviour the test defines: `talk` gets each connection. */
export async function openHostile(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => sockets.size,
    [Symbol.asyncDispose]: async (): Promise<void> => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Answers the commands of a client, by their first word in capitals; a missing answer closes the connection. */
export const talking =
  (answers: Readonly<Record<string, string>>) =>
  (socket: Socket): void => {
    socket.write('220 test ESMTP\r\n');
    let isInData = false;
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString();
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (isInData && line !== '.') continue;
        const word = isInData ? '.' : (line.split(/[ :]/)[0] ?? '').toUpperCase();
        const answer = answers[word];
        if (answer === undefined) return void socket.destroy();
        isInData = word === 'DATA' && answer.startsWith('354');
        socket.write(`${answer}\r\n`);
      }
      return undefined;
    });
  };

/** The settings of an instance that sends by a server on that port. */
export async function emailSettings(port: number, way: SmtpOptions['way'] = 'tls') {
  const { ca } = await certificateFiles();
  return {
    'email.servidor': `${way === 'tls' ? 'smtps' : 'smtp'}://localhost:${port}`,
    'email.remetente': 'Catálogo <catalogo@empresa.exemplo>',
    'email.ca': ca,
    'servidor.endereco': 'https://catalogo.empresa.exemplo',
  } as const;
}
