/** Answers in all forms of receivers and their proxies (RFC 9112). */
import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import { ANSWER_HEAD_BYTES, AnswerReader } from '../../../../src/notification/delivery/send/answer-reader.ts';
import { openRawTls, openSender, REQUEST } from '../../../support/delivery.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}transfer-encoding: chunked\r\n\r\n`;

type Read =
  | { readonly fault: string }
  | {
      readonly status: number | undefined;
      readonly body: string;
      readonly isComplete: boolean;
      readonly keptSeconds: number | undefined;
    };

/** Reads `text` in parts of this number of bytes. `ends`: the connection then ends. */
function read(text: string, { parts = Infinity, ends = false } = {}): Read {
  const bytes = Buffer.from(text, 'latin1');
  let status: number | undefined;
  let body = '';
  const reader = new AnswerReader({
    onHead: (code) => (status = code),
    onBody: (part) => (body += Buffer.from(part).toString('latin1')),
  });
  for (let at = 0; at < bytes.length; at += parts) {
    const fault = reader.add(bytes.subarray(at, at + parts));
    if (fault !== undefined) return { fault };
  }
  if (ends) reader.end();
  return { status, body, isComplete: reader.isComplete, keptSeconds: reader.keepAliveSeconds };
}

/** Returns a complete answer. Without `keptSeconds` the connection may be kept indefinitely. */
const completeAnswer = (
  body: string,
  { status = 200, keptSeconds = undefined as number | undefined } = {},
): Read => ({
  status,
  body,
  isComplete: true,
  keptSeconds,
});
const FOR_NO_OTHER = { keptSeconds: 0 };

describe('an answer ends', () => {
  test.each([
    ['with its length', `${OK}content-length: 2\r\n\r\nok`, completeAnswer('ok')],
    ['with its length, spaces around', `${OK}Content-Length: \t2 \r\n\r\nok`, completeAnswer('ok')],
    ['with its last chunk', `${CHUNKED}2\r\nok\r\n0\r\n\r\n`, completeAnswer('ok')],
    [
      'with its last chunk, of many',
      `${CHUNKED}1\r\no\r\n00A\r\nkkkkkkkkkk\r\n0\r\n\r\n`,
      completeAnswer('okkkkkkkkkk'),
    ],
    ['with what is said of chunks', `${CHUNKED}2;a=b;c="d"\r\nok\r\n0;x\r\n\r\n`, completeAnswer('ok')],
    ['with its trailers', `${CHUNKED}2\r\nok\r\n0\r\nx: y\r\nz: w\r\n\r\n`, completeAnswer('ok')],
    [
      'chunked last of its codings',
      `${OK}Transfer-Encoding: gzip, Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
      completeAnswer('ok'),
    ],
    [
      'chunked in a header of its own',
      `${OK}transfer-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      completeAnswer(''),
    ],
    ['at once, being 204', 'HTTP/1.1 204 No Content\r\n\r\n', completeAnswer('', { status: 204 })],
    [
      'at once, being 304',
      'HTTP/1.1 304 X\r\ncontent-length: 2\r\n\r\n',
      completeAnswer('', { status: 304 }),
    ],
    [
      'at once, being 101',
      'HTTP/1.1 101 X\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      completeAnswer('', { status: 101 }),
    ],
    [
      'with what follows 100',
      `HTTP/1.1 100 Continue\r\n\r\n${OK}content-length: 2\r\n\r\nok`,
      completeAnswer('ok'),
    ],
    [
      'with what follows 103 and 102, which have no body',
      `HTTP/1.1 103 X\r\nlink: y\r\ncontent-length: 9\r\n\r\nHTTP/1.1 102 X\r\n\r\n${OK}content-length: 0\r\n\r\n`,
      completeAnswer(''),
    ],
    ['though empty lines come before it', `\r\n\r\n${OK}content-length: 2\r\n\r\nok`, completeAnswer('ok')],
    ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', completeAnswer('')],
    [
      'with a reason in Latin-1',
      'HTTP/1.1 200 N\xe3o\r\nx: \xe1\t\xff\r\ncontent-length: 0\r\n\r\n',
      completeAnswer(''),
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual(expected);
    expect(read(text, { parts: 1 })).toEqual(expected);
    const { length } = text;
    expect(read(text.slice(0, length - 1), { ends: true })).toMatchObject({ isComplete: false });
  });

  test.each([
    ['without a length', `${OK}\r\nabc`],
    ['not chunked at last', `${OK}transfer-encoding: chunked, gzip\r\n\r\nabc`],
    ['of an old server', 'HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n\r\nabc'],
  ])('with its connection: %s', (_, text) => {
    expect(read(text)).toMatchObject({ body: 'abc', isComplete: false });
    expect(read(text, { ends: true })).toEqual(completeAnswer('abc', FOR_NO_OTHER));
  });
});

describe('its connection is reused', () => {
  const END = 'content-length: 0\r\n\r\n';
  test.each([
    ['where nothing else is said', `${OK}${END}`, undefined],
    ['for as long as is said', `${OK}keep-alive: timeout=5, max=100\r\n${END}`, 5],
    ['never: it is to be closed', `${OK}connection: x, Close\r\n${END}`, 0],
    ['never: an old server does not say so', `HTTP/1.0 200 OK\r\n${END}`, 0],
    ['of an old server that says so', `HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\n${END}`, undefined],
    ['never: another version', `HTTP/2.0 200 OK\r\nconnection: keep-alive\r\n${END}`, 0],
    ['never: more came than was announced', `${OK}${END}x`, 0],
    ['never: more came than 204 may have', 'HTTP/1.1 204 X\r\ncontent-length: 2\r\n\r\nok', 0],
    ['never: another answer came along', `${OK}${END}${OK}${END}`, 0],
  ])('%s', (_, text, keptSeconds) => {
    expect(read(text)).toMatchObject({ body: '', isComplete: true, keptSeconds });
  });
});

describe('it is invalid, and the reason is given', () => {
  test.each([
    ['HPE_INVALID_CONSTANT', 'SSH-2.0-servidor\r\n'],
    ['HPE_INVALID_CONSTANT', '<'],
    ['HPE_INVALID_CONSTANT', '\0'],
    ['HPE_INVALID_CONSTANT', 'http/1.1 200 OK\r\n'],
    ['HPE_INVALID_VERSION', 'HTTP/1.2 200 OK\r\n'],
    ['HPE_INVALID_VERSION', 'HTTP/1.x 200 OK\r\n'],
    ['HPE_INVALID_STATUS', 'HTTP/1.1  200 OK\r\n'],
    ['HPE_INVALID_STATUS', 'HTTP/1.1 20 OK\r\n'],
    ['HPE_INVALID_STATUS', 'HTTP/1.1 2000 OK\r\n'],
    ['HPE_CR_EXPECTED', 'HTTP/1.1 200 OK\n'],
    ['HPE_CR_EXPECTED', `${CHUNKED}2\nok`],
    ['HPE_CR_EXPECTED', `${CHUNKED}1\r\nok\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}sem dois pontos\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}com espa\xe7o: x\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}content-length : 2\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}: x\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}x: a\r\n continua\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}x: a\0b\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${OK}x: a\rb\r\n`],
    ['HPE_INVALID_HEADER_TOKEN', `${CHUNKED}0\r\nnada\r\n`],
    ['HPE_UNEXPECTED_CONTENT_LENGTH', `${OK}content-length: 2\r\ncontent-length: 2\r\n`],
    ['HPE_INVALID_CONTENT_LENGTH', `${OK}content-length: 2, 2\r\n`],
    ['HPE_INVALID_CONTENT_LENGTH', `${OK}content-length: +2\r\n`],
    ['HPE_INVALID_CONTENT_LENGTH', `${OK}content-length: -2\r\n`],
    ['HPE_INVALID_CONTENT_LENGTH', `${OK}content-length: 0x2\r\n`],
    ['HPE_INVALID_CONTENT_LENGTH', `${OK}content-length:\r\n`],
    ['HPE_INVALID_CONTENT_LENGTH', `${OK}content-length: ${'9'.repeat(20)}\r\n`],
    ['HPE_INVALID_TRANSFER_ENCODING', `${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n`],
    ['HPE_INVALID_CHUNK_SIZE', `${CHUNKED}zz\r\n`],
    ['HPE_INVALID_CHUNK_SIZE', `${CHUNKED}0x2\r\n`],
    ['HPE_INVALID_CHUNK_SIZE', `${CHUNKED}2 \r\n`],
    ['HPE_INVALID_CHUNK_SIZE', `${CHUNKED}\r\n`],
    ['HPE_INVALID_CHUNK_SIZE', `${CHUNKED}${'f'.repeat(18)}\r\n`],
  ])('%s: %j', (fault, text) => {
    expect(read(text)).toEqual({ fault });
    expect(read(text, { parts: 1 })).toEqual({ fault });
  });

  test('its head is longer than 64 KiB, in one line or in many, in its trailers too', () => {
    const frame = `${OK}x: \r\n\r\n`.length;
    const ofLength = (bytes: number): string => `${OK}x: ${'x'.repeat(bytes - frame)}\r\n\r\n`;
    expect(read(ofLength(ANSWER_HEAD_BYTES))).toMatchObject({ status: 200 });
    expect(read(ofLength(ANSWER_HEAD_BYTES + 1))).toEqual({ fault: 'HPE_HEADER_OVERFLOW' });
    expect(ANSWER_HEAD_BYTES).toBe(65_536);
    const lines = 'x: y\r\n'.repeat(11_000);
    for (const text of [
      `${OK}${lines}`,
      `${CHUNKED}0\r\n${lines}`,
      '\r\n'.repeat(33_000),
      'HTTP/1.1 100 X\r\n\r\n'.repeat(4000),
    ])
      expect(read(text)).toEqual({ fault: 'HPE_HEADER_OVERFLOW' });
  });
});

test('a chunked answer is read the same wherever its bytes are split', () => {
  const body = fc.array(fc.string({ minLength: 1, maxLength: 40 }), { maxLength: 6 });
  fc.assert(
    fc.property(body, fc.integer({ min: 1, max: 60 }), (parts, size) => {
      const chunks = parts.map((part) => {
        const octets = Buffer.from(part, 'utf8').toString('latin1');
        return `${octets.length.toString(16)}\r\n${octets}\r\n`;
      });
      const answer = read(`${CHUNKED}${chunks.join('')}0\r\n\r\n`, { parts: size });
      expect(answer).toEqual(completeAnswer(Buffer.from(parts.join(''), 'utf8').toString('latin1')));
    }),
  );
});

describe('a connection', () => {
  /** Answers each request with `text`. Returns the number of the connection of each request. */
  async function connectionsOf(text: string): Promise<readonly number[]> {
    const connections: number[] = [];
    await using server = await openRawTls((socket, number) =>
      socket.on('data', () => (connections.push(number), socket.write(text))),
    );
    using opened = await openSender(server);
    for (let count = 0; count < 2; count += 1)
      expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    return connections;
  }

  test('is reused after an answer with its length and after a chunked one', async () => {
    expect(await connectionsOf(`${OK}content-length: 2\r\n\r\nok`)).toEqual([1, 1]);
    expect(await connectionsOf(`${CHUNKED}2\r\nok\r\n0\r\n\r\n`)).toEqual([1, 1]);
  });

  test('is not reused after surplus bytes, or when it will soon be closed', async () => {
    expect(await connectionsOf(`${OK}content-length: 2\r\n\r\nokx`)).toEqual([1, 2]);
    expect(await connectionsOf('HTTP/1.1 204 X\r\ncontent-length: 2\r\n\r\nok')).toEqual([1, 2]);
    expect(await connectionsOf(`${OK}connection: close\r\ncontent-length: 0\r\n\r\n`)).toEqual([1, 2]);
    expect(await connectionsOf(`${OK}keep-alive: timeout=1\r\ncontent-length: 0\r\n\r\n`)).toEqual([1, 2]);
  });

  test('is closed when unrequested bytes arrive', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    await using server = await openRawTls((socket, number) => {
      if (number === 1) socket.on('close', () => resolve());
      socket.on('data', () => {
        socket.write(`${OK}content-length: 0\r\n\r\n`);
        if (number === 1) setImmediate(() => socket.write('HTTP/1.1 408 X\r\n\r\n'));
      });
    });
    using opened = await openSender(server);
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    await closed;
    expect(await opened.sender.send(REQUEST)).toMatchObject({ kind: 'delivered' });
    expect(server.sockets).toHaveLength(2);
  });

  test('is not reused when the answer came before the whole request had left', async () => {
    await using server = await openRawTls((socket) => {
      socket.once('readable', () => socket.write(`${OK}content-length: 0\r\n\r\n`)); // and reads nothing more
    });
    using opened = await openSender(server);
    const body = JSON.stringify('x'.repeat(8 * 1024 * 1024));
    for (let count = 0; count < 2; count += 1)
      expect(await opened.sender.send({ ...REQUEST, body })).toMatchObject({ kind: 'delivered' });
    expect(server.sockets).toHaveLength(2);
  });
});
