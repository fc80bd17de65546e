/** The bytes of an HTTP/1.1 request. */

export interface Message {
  readonly path: string;
  /** Header names in lower case, with `host` first. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** True when the connection may be reused. */
  readonly keepsAlive: boolean;
}

/** Characters that would end a header, or that are not octets. */
const UNSENDABLE = /[^\t\x20-\x7e\x80-\xff]/;

/** Builds the bytes; `undefined`: a header cannot be sent. */
export function bytesOf({ path, headers, body, keepsAlive }: Message): Buffer | undefined {
  let head = `POST ${path} HTTP/1.1\r\n`;
  for (const [name, value] of Object.entries(headers)) {
    if (UNSENDABLE.test(value)) return undefined;
    head += `${name}: ${value}\r\n`;
  }
  const length = Buffer.byteLength(body);
  head += `content-length: ${length}\r\nconnection: ${keepsAlive ? 'keep-alive' : 'close'}\r\n\r\n`;
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, 'latin1');
  bytes.write(body, head.length, 'utf8');
  return bytes;
}
