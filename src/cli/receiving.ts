/** What `catp receiver` does. */
import { SystemClock } from '../clock.ts';
import { DomainError, OperatorError, UsageError } from '../errors.ts';
import { type Authority, authorityFile, initAuthority, openAuthority } from '../receiver/ca.ts';
import type { CertificateKind } from '../receiver/certificate-kind.ts';
import { display } from '../receiver/display.ts';
import { startReceiver } from '../receiver/receiver.ts';
import { type Answer, parseDelay, parseScript } from '../receiver/script.ts';
import { reasonOf, systemCode } from '../system/errors.ts';

export interface ReceiverFlags {
  readonly dir: string;
  readonly host: string;
  readonly port: string;
  readonly script: string;
  readonly delay?: string;
  readonly hang?: true;
  readonly reset?: true;
  readonly badCert?: true | CertificateKind;
  readonly secret?: string;
}

/** Runs until it is told to stop. */
export async function receive(flags: ReceiverFlags): Promise<void> {
  const clock = new SystemClock();
  const port = parsePort(flags.port);
  const script = scriptOf(flags);
  const authority = (await kept(flags.dir)) ?? (await announceNew(flags.dir));
  const starting = startReceiver({
    authority,
    clock,
    host: flags.host,
    port,
    script,
    certificate: flags.badCert === true ? 'unknown-ca' : (flags.badCert ?? 'good'),
    ...(flags.secret === undefined ? {} : { secret: flags.secret }),
    onReceived: (received) => console.log(display(received)),
  });
  const receiver = await starting.catch((error: unknown) => {
    if (systemCode(error) === undefined) throw error;
    throw new OperatorError(
      `Não foi possível escutar em ${flags.host}:${port} (${reasonOf(error)}). Escolha outra porta com --port ou outro endereço com --host.`,
    );
  });
  console.log(`catp receiver: pronto em https://${flags.host}:${receiver.port}`);
  await stopSignal();
  await receiver.close();
}

/** `catp receiver init`: makes the authority where there is none. */
export async function announceAuthority(folder: string): Promise<void> {
  if ((await kept(folder)) === undefined) await announceNew(folder);
  else
    console.log(`A autoridade certificadora já existe. Informe às entregas: --ca ${authorityFile(folder)}`);
}

async function announceNew(folder: string): Promise<Authority> {
  const authority = await initAuthority(folder, new SystemClock().now()).catch(refuseFolder(folder));
  console.log(`Autoridade certificadora criada. Informe às entregas: --ca ${authorityFile(folder)}`);
  return authority;
}

const kept = (folder: string): Promise<Authority | undefined> =>
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
  const answers = sensible(() => parseScript(script));
  if (delay === undefined) return answers;
  const delayMs = sensible(() => parseDelay(delay));
  return answers.map((answer) => (answer.kind === 'status' ? { delayMs, ...answer } : answer));
}

/** What a flag says, or its refusal as a misuse of the command line. */
function sensible<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof DomainError ? new UsageError(error.message) : error;
  }
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new UsageError(`--port: recebido ${JSON.stringify(text)}; aceita um número de 0 a 65535.`);
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
