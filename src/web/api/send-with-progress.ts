/** Upload by XMLHttpRequest with a `fetch` response: `fetch` does not report upload progress. */

export interface SendingOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: FormData | Blob;
  readonly signal: AbortSignal | undefined;
  /** Called with the number of sent bytes and of all bytes of the body. */
  readonly onSent: (sent: number, total: number) => void;
}

/** Sends the body. Rejects if no response arrives. */
export function sendWithProgress(address: string, options: SendingOptions): Promise<Response> {
  const { method, headers, body, signal, onSent } = options;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const request = new XMLHttpRequest();
  request.open(method, address);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
  request.onload = () => resolve(answerOf(request));
  request.onerror = request.onabort = request.ontimeout = () => reject(new TypeError('no answer came'));
  const abort = (): void => request.abort();
  signal?.addEventListener('abort', abort);
  request.onloadend = () => signal?.removeEventListener('abort', abort);
  if (signal?.aborted === true) reject(new TypeError('not sent'));
  else request.send(body);
  return promise;
}

/** Statuses that have no body, not even an empty one. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function answerOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return new Response(WITHOUT_BODY.includes(status) ? null : responseText, { status, headers });
}
