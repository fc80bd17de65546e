import { type Command, Option } from 'commander';
import { command } from './options.ts';
import { SystemClock } from '../clock.ts';
import { DomainError } from '../errors.ts';
import { type Authority, authorityFile, initAuthority, openAuthority } from '../receiver/ca.ts';
import { display } from '../receiver/display.ts';
import { type CertificateKind, CERTIFICATES, startReceiver } from '../receiver/receiver.ts';
import { type Answer, parseDelay, parseScript } from '../receiver/script.ts';

interface ReceiverFlags {
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

const USAGE = `
Em dois terminais:
  catp receiver
  catp dev --map erp.exemplo:443=127.0.0.1:8443 --ca ./catp-receiver/ca.pem

Roteiro (--script): passos separados por vírgula; o último vale para as requisições seguintes.
  200  500*3           status, repetido
  200@4s               status depois de uma espera (ms, s, m)
  200+70000            status com um corpo desse tamanho, em bytes
  hang reset drip cut  não responde; corta a conexão; corpo sem fim, byte a byte; corta no meio do corpo
`;

/** `catp receiver`: a TLS endpoint for people who have none (contract section 10). */
export function receiverCommand(): Command {
  const receiver = command(
    'receiver',
    'recebe notificações por TLS, mostra o que chega e responde conforme um roteiro',
  )
    .addOption(folderOption())
    .option('--host <ENDEREÇO>', 'endereço em que escuta', '127.0.0.1')
    .option('--port <N>', 'porta em que escuta (0 = qualquer livre)', '8443')
    .option('--secret <TEXTO>', 'chaveSecreta esperada no cabeçalho secret')
    .option('--script <ROTEIRO>', 'respostas em ordem, por exemplo "500*3,200"', '200')
    .option('--delay <ESPERA>', 'espera antes de cada resposta, por exemplo 4s')
    .addOption(new Option('--hang', 'nunca responde').conflicts(['script', 'reset', 'delay']))
    .addOption(new Option('--reset', 'corta a conexão sem responder').conflicts(['script', 'hang', 'delay']))
    .addOption(
      new Option(
        '--bad-cert [TIPO]',
        'apresenta um certificado que não deve ser aceito (padrão: unknown-ca)',
      ).choices(CERTIFICATES.filter((kind) => kind !== 'good')),
    )
    .addHelpText('after', USAGE)
    .action((flags: ReceiverFlags) => saying(receiver, () => receive(flags)));

  const init = command(
    'init',
    'cria a autoridade certificadora do receptor e mostra o arquivo a informar em --ca',
  )
    .addOption(folderOption())
    // Commander gives an option that parent and child share to the parent.
    .action(() => saying(init, () => announceAuthority(init.optsWithGlobals<ReceiverFlags>().dir)));
  return receiver.addCommand(init);
}

const folderOption = (): Option =>
  new Option('--dir <PASTA>', 'pasta da autoridade certificadora').default('./catp-receiver');

async function receive(flags: ReceiverFlags): Promise<void> {
  const clock = new SystemClock();
  const port = parsePort(flags.port);
  const script = scriptOf(flags);
  const authority = (await openAuthority(flags.dir)) ?? (await announceNew(flags.dir));
  const receiver = await startReceiver({
    authority,
    clock,
    host: flags.host,
    port,
    script,
    certificate: flags.badCert === true ? 'unknown-ca' : (flags.badCert ?? 'good'),
    ...(flags.secret === undefined ? {} : { secret: flags.secret }),
    onReceived: (received) => console.log(display(received)),
  });
  console.log(`catp receiver: pronto em https://${flags.host}:${receiver.port}`);
  await stopSignal();
  await receiver.close();
}

async function announceAuthority(folder: string): Promise<void> {
  if ((await openAuthority(folder)) === undefined) await announceNew(folder);
  else
    console.log(`A autoridade certificadora já existe. Informe às entregas: --ca ${authorityFile(folder)}`);
}

async function announceNew(folder: string): Promise<Authority> {
  const authority = await initAuthority(folder, new SystemClock().now());
  console.log(`Autoridade certificadora criada. Informe às entregas: --ca ${authorityFile(folder)}`);
  return authority;
}

function scriptOf({ script, delay, hang, reset }: ReceiverFlags): readonly Answer[] {
  if (hang) return [{ kind: 'hang' }];
  if (reset) return [{ kind: 'reset' }];
  const answers = parseScript(script);
  if (delay === undefined) return answers;
  const delayMs = parseDelay(delay);
  return answers.map((answer) => (answer.kind === 'status' ? { delayMs, ...answer } : answer));
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw new DomainError('malformed', `--port ${JSON.stringify(text)}: informe um número de 0 a 65535.`);
}

const stopSignal = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });

/** Tells a refusal or a failure to listen in one line; anything else is a fault and keeps its stack. */
async function saying(failing: Command, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof DomainError) failing.error(`catp receiver: ${error.message}`);
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const port = code === 'EADDRINUSE' ? ' A porta está em uso: escolha outra com --port.' : '';
    failing.error(`catp receiver: ${syscall} falhou (${code}).${port}`);
  }
}
