/** The work of `catp receiver`. */
import { SystemClock, monotonicMs } from '../clock.ts';
import { DomainError, OperatorError, UsageError } from '../errors.ts';
import { type Authority, authorityFile, initAuthority, openAuthority } from '../authority/authority.ts';
import type { CertificateKind } from '../receiver/certificate-kind.ts';
import { display, displayForwarded } from '../receiver/display.ts';
import { type Forward, type Forwarded, forwardTo } from '../receiver/forward.ts';
import { BODY_MAX_BYTES, type Received, startReceiver } from '../receiver/receiver.ts';
import { type Answer, parseDelay, parseScript } from '../receiver/script.ts';
import { reasonOf, systemCode } from '../system/errors.ts';
import { bytesText, visible, visibleLines } from '../validation/text.ts';
import { listenToKeys } from './keys.ts';
import { type ListenAddress, listenOrExplain, requireFree } from './ports.ts';
import { contentOf } from './values.ts';

export interface ReceiverFlags {
  readonly dir: string;
  readonly host: string;
  readonly port: number;
  readonly httpPort?: number;
  readonly forward?: string;
  readonly script: string;
  readonly delay?: string;
  readonly hang?: true;
  readonly reset?: true;
  readonly badCert?: true | CertificateKind;
  readonly secret?: string;
  readonly secretFile?: string;
}

/** Runs until a signal stops it. */
export async function receive(flags: ReceiverFlags): Promise<void> {
  const clock = new SystemClock();
  const { host, port, httpPort } = flags;
  const handler = flags.forward === undefined ? undefined : handlerAt(flags.forward);
  const script = scriptOf(flags);
  const secret = secretOf(flags);
  const spot: ListenAddress = { host, port, flag: '--port' };
  await requireFree(spot);
  if (httpPort !== undefined) await requireFree({ host, port: httpPort, flag: '--http-port' });
  const authority = (await authorityIn(flags.dir)) ?? (await announceNew(flags.dir));
  const receiver = await listenOrExplain(spot, () =>
    startReceiver({
      authority,
      clock,
      host,
      port,
      script,
      certificate: flags.badCert === true ? 'unknown-ca' : (flags.badCert ?? 'good'),
      ...(secret === undefined ? {} : { secret }),
      ...(httpPort === undefined ? {} : { httpPort }),
      ...(handler && { forward: handler.forward }),
      onTooLarge: (path) =>
        console.log(visible(`→ ${path}: corpo acima de ${bytesText(BODY_MAX_BYTES)}; respondido 413\n`)),
      onReceived: (received) => console.log(visibleLines(display(received))),
      onForwarded: ({ number }, forwarded) => handler?.print(number, forwarded),
    }),
  );
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop());
  const { port: bound, httpPort: plain } = receiver;
  // All lines are written together: a program that waits for the first one has all of them.
  console.log(
    [
      `catp receiver: pronto em https://${host}:${bound}`,
      ...(plain === undefined ? [] : [`catp receiver: HTTP em http://${host}:${plain}`]),
      ...(handler === undefined
        ? []
        : [`catp receiver: repassa a ${handler.target}; r repete a última, q encerra`]),
    ].join('\n'),
  );
  if (handler === undefined) await stopped;
  else {
    const keys = listenToKeys({ r: () => void handler.repeat(receiver.requests.at(-1)), q: stop }, stop);
    await stopped;
    keys.release();
  }
  await receiver.close();
}

/** Builds the handler that forwards to the developer's own program (`--forward`). */
function handlerAt(text: string) {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\/[^/]/.test(text))
    throw new UsageError(
      `--forward: recebido ${JSON.stringify(text)}; aceita uma URL http ou https, por exemplo http://127.0.0.1:3000/hook.`,
    );
  const target = url.origin + url.pathname; // a query may hold a secret
  const forward: Forward = forwardTo(url, monotonicMs);
  const print = (number: number, forwarded: Forwarded): void =>
    console.log(visibleLines(displayForwarded(number, target, forwarded)));
  return {
    target,
    forward,
    print,
    repeat: async (received: Received | undefined): Promise<void> => {
      if (received === undefined) return console.log('Nada chegou ainda: não há o que repetir.');
      console.log(visible(`Repetindo #${received.number} ${received.method} ${received.path}`));
      print(received.number, await forward(received));
    },
  };
}

/** `catp receiver init`: creates the authority if it is missing. */
export async function announceAuthority(folder: string): Promise<void> {
  if ((await authorityIn(folder)) === undefined) await announceNew(folder);
  else
    console.log(`A autoridade certificadora já existe. Informe às entregas: --ca ${authorityFile(folder)}`);
}

async function announceNew(folder: string): Promise<Authority> {
  const authority = await initAuthority(folder, new SystemClock().now()).catch(refuseFolder(folder));
  console.log(`Autoridade certificadora criada. Informe às entregas: --ca ${authorityFile(folder)}`);
  return authority;
}

const authorityIn = (folder: string): Promise<Authority | undefined> =>
  openAuthority(folder).catch(refuseFolder(folder));

const refuseFolder =
  (folder: string) =>
  (error: unknown): never => {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `A pasta ${folder} da autoridade certificadora não pode ser usada (${reasonOf(error)}). Indique outra com --dir.`,
    );
  };

function scriptOf({ script, delay, hang, reset }: ReceiverFlags): readonly Answer[] {
  if (hang) return [{ kind: 'hang' }];
  if (reset) return [{ kind: 'reset' }];
  const answers = parseOrMisuse(() => parseScript(script));
  if (delay === undefined) return answers;
  const delayMs = parseOrMisuse(() => parseDelay(delay));
  return answers.map((answer) => (answer.kind === 'status' ? { delayMs, ...answer } : answer));
}

function secretOf({ secret, secretFile }: ReceiverFlags): string | undefined {
  if (secretFile === undefined) return secret;
  const remedy = 'Indique um com a chaveSecreta em uma linha.';
  const text = contentOf('--secret-file', secretFile, remedy).toString().trim();
  if (text === '') throw new UsageError(`--secret-file: ${secretFile} está vazio. ${remedy}`);
  return text;
}

/** Parses a flag. A refusal is a misuse of the command line. */
function parseOrMisuse<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof DomainError ? new UsageError(error.message) : error;
  }
}
