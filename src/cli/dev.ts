/** `catp dev`: the development instance (contract section 13). */
import { type Command, Option } from 'commander';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { type Clock, REAL_TIME, type RealTime, SystemClock, TestClock } from '../clock.ts';
import type { Settings } from '../settings/config.ts';
import type { Core } from '../assembly/core.ts';
import type { OpenOptions } from '../db/open.ts';
import { FolderMarks, MADE_BY_INIT } from '../db/folder-mark.ts';
import { fillFirst, isFilled, isHalfFilled } from '../dev/reset.ts';
import { clockOfSnapshot } from '../dev/snapshot/service.ts';
import { command, folderFlags, withFlags } from './command.ts';
import { type FolderFlags, type SettingPair, flagSettings, settingsFor, wantsColour } from './options.ts';
import { SETTINGS } from '../settings/settings.ts';
import { PFX_PASSWORD, makeCertificates, serverFiles } from '../demo/certificates.ts';
import { COMPANY_USER, USERS } from '../demo/people.ts';
import { seedDevelopment } from '../demo/seed.ts';
import { COLOURED, PLAIN } from '../dev/screen/colours.ts';
import { Screen } from '../dev/screen/screen.ts';
import { OperatorError, UsageError } from '../errors.ts';
import type { OwnSecrets } from '../session/authentication.ts';
import { instantOf, momentText } from '../validation/calendar.ts';
import { VERSION } from '../version.ts';
import { SERVER_FLAGS, SERVER_FLAG_SETTINGS, logProfile } from './server-flags.ts';
import { CHAOS_HELP, CHAOS_LIST, beginChaos, chaosFrom, chaosList, logChaos } from './chaos.ts';
import { GENERATED, ownSecrets } from './dev-secrets.ts';
import { requireFolder, logStubs } from './stubs.ts';
import { printLine } from './folder-command.ts';
import { lockForServer } from './locked-folder.ts';
import { prepareReport, writeReport } from './report-file.ts';
import { type ServeOptions, serve } from './serving.ts';
import { removeAtEnd, requireEmpty } from './temporary.ts';
import { Credentials } from '../tls/credentials.ts';
import { isAlive } from '../system/gone.ts';
import { SHELL, quoted } from '../system/shell.ts';

interface DevFlags extends FolderFlags {
  readonly log: 'texto' | 'json';
  readonly empty?: boolean;
  readonly localReceivers?: true;
  readonly tls?: string;
  readonly secrets?: string;
  readonly stubs?: string;
  readonly chaos?: string;
  readonly clock?: string;
  readonly snapshot?: string;
  readonly readyFile?: string;
  readonly report?: string;
  readonly exitWithParent?: boolean;
  readonly temporary?: boolean;
  readonly synchronous?: NonNullable<OpenOptions['synchronous']>;
}

/** Option that only scripts/powerloss sets to NORMAL, to prove that it detects the losses of that setting. */
const SYNCHRONOUS = new Option('--synchronous <modo>', 'só para a prova de queda de energia')
  .choices(['FULL', 'NORMAL'])
  .hideHelp();

/** The log format: for people or for programs. */
const LOG = new Option('--log <forma>', 'formato do log no erro padrão: linhas de texto, ou JSON')
  .choices(['texto', 'json'])
  .default('texto');

/** The files that `--tls` creates replace all of these flags. */
const TLS = new Option(
  '--tls [porta]',
  'HTTPS com tudo criado no primeiro início: autoridade, certificado do servidor e certificados de cliente, em tls na pasta de dados',
)
  .preset('8443')
  .conflicts(['tlsPort', 'tlsCert', 'tlsKey', 'tlsClientCa']);

/** Builds the command. `commands`: all of them, which the help pages list. */
export function devCommand(commands: ServeOptions['commands']): Command {
  const dev = command('dev', 'instância de desenvolvimento, com usuários e dados de demonstração');
  folderFlags(dev, './catp-dev', 'pasta de dados, criada se não existir')
    .option('--port <n>', 'porta HTTP (0 = qualquer livre; padrão 8080)')
    .option(
      '--host <endereço>',
      'endereço em que escuta (padrão 127.0.0.1); outro que o desta máquina exige --secrets',
    )
    .option(
      '--secrets <arquivo>',
      'segredos das chaves em JSON, {"demo": "…"}, no lugar dos fixos; - gera todos e os mostra uma vez',
    )
    .option('--empty', 'só os usuários e empresas, sem catálogo nem tabela de atributos')
    .option(
      '--stubs <pasta>',
      'outros módulos do Portal Único respondem pelos arquivos dela; catp stubs grava uma para começar',
    )
    .option(
      '--chaos <semente[:…]>',
      `falhas sorteadas; a mesma semente repete as mesmas falhas; ${CHAOS_LIST} mostra os conjuntos`,
    )
    .option('--local-receivers', 'aceita endpoints http e de qualquer porta em localhost e 127.0.0.1');
  return withFlags(dev, SERVER_FLAGS)
    .option('--clock <iso>', 'relógio de teste que começa nesse instante e só anda por comando')
    .option('--snapshot <nome>', 'começa do estado guardado com esse nome, com seu relógio de teste')
    .option(
      '--ready-file <arquivo>',
      'grava nele, em JSON, url, porta e pid quando está pronto; apaga-o no fim',
    )
    .option(
      '--report <arquivo>',
      'ao terminar, escreve nele o que o serviço público teria recusado: JUnit se termina em .xml, senão JSON',
    )
    .option('--exit-with-parent', 'termina quando terminar o processo que o iniciou, mesmo por kill -9')
    .option('--temporary', 'apaga a pasta de dados, que precisa ser nova ou estar vazia, quando termina')
    .addOption(TLS)
    .addOption(LOG)
    .addOption(SYNCHRONOUS)
    .addHelpText('after', `\n${CHAOS_HELP}`)
    .action((flags: DevFlags) => runDev(flags, commands));
}

async function runDev(flags: DevFlags, commands: ServeOptions['commands']): Promise<void> {
  if (flags.chaos === CHAOS_LIST) return printLine(chaosList());
  const chaos = flags.chaos === undefined ? undefined : chaosFrom(flags.chaos);
  const settings = settingsFor(
    flags,
    [...flagSettings({ ...flags }, SERVER_FLAG_SETTINGS), ...tlsSettings(flags)],
    {
      'cors.origens': 'local',
      'backup.horario': 'nunca',
    },
  );
  const secrets = ownSecrets(flags.secrets, settings.host);
  if (flags.stubs !== undefined) requireFolder(flags.stubs);
  const clock = clockOf(flags);
  // The screen is shown when the log goes to a file, even with `--log json`.
  const screen = flags.log === 'json' && settings['log.arquivo'] === '' ? undefined : openScreen(clock);
  const seed = (core: Core) => seedDevelopment(core, { empty: flags.empty === true });
  const { report } = flags;
  if (report !== undefined) prepareReport(report);
  if (flags.temporary === true) requireEmpty(flags.data);
  const lockedFolder = await lockForServer(flags.data, settings, 'dev');
  if (flags.temporary === true) removeAtEnd(flags.data);
  let isServing = false;
  try {
    if (flags.tls !== undefined)
      await makeCertificates(tlsFolder(flags), serverNames(settings), new SystemClock().now());
    await serve({
      lockedFolder,
      credentials: await Credentials.open(settings),
      settings,
      clock,
      mode: 'dev',
      commands,
      ...(flags.synchronous && { open: { synchronous: flags.synchronous } }),
      seed,
      screen,
      logsAll: flags.log === 'json',
      onReady: (addresses, { core }) => {
        isServing = true;
        if (flags.secrets === GENERATED && secrets !== undefined) printSecrets(secrets);
        if (screen === undefined) logProfile(core.log, settings);
        else screen.banner({ ...addresses, ...bannerOf(flags, settings, clock, secrets) });
        if (flags.stubs !== undefined) logStubs(core.log, flags.stubs);
        if (chaos !== undefined) logChaos(core.log, chaos);
        if (settings['tls.porta'] !== undefined && settings['tls.clientes'] === '')
          core.log.info(
            'Nenhum certificado de cliente será pedido nem aceito: falta --tls-client-ca. Indique as autoridades, ou use --tls, que faz tudo.',
          );
      },
      ...(flags.localReceivers && { localReceivers: true }),
      ...(secrets && { ownSecrets: secrets }),
      ...(flags.stubs !== undefined && { stubs: flags.stubs }),
      ...(flags.readyFile !== undefined && { readyFile: flags.readyFile }),
      onFinished: async ({ development }) => {
        if (report !== undefined && development !== undefined)
          await writeReport(report, development.conformity);
      },
      ...(flags.exitWithParent === true && { endRequest: parentEnded(REAL_TIME) }),
      prepare: async ({ core, development }) => {
        if (chaos !== undefined) beginChaos(chaos, development);
        const isReady = isFilled(core.db);
        if (!isReady && !isHalfFilled(core.db) && isServerFolder(core))
          throw new OperatorError(
            `A pasta ${flags.data} não foi criada por catp dev: ela é de catp serve, e catp dev a esvaziaria e poria nela usuários com segredos conhecidos. Use outra com --data, ou inicie-a com catp serve --data ${quoted(flags.data)}.`,
          );
        if (flags.snapshot !== undefined)
          return development?.snapshots.startFrom(
            flags.snapshot,
            flags.clock === undefined ? 'with its clock' : 'without its clock',
          );
        if (isReady) return;
        screen?.preparing(flags.data);
        await fillFirst(core, () => seed(core));
      },
    });
  } catch (error) {
    if (!isServing) lockedFolder.undo();
    throw error;
  }
  // The server has ended. The process does not wait for a test suite that does not read the output.
  if (screen !== undefined) REAL_TIME.after(UNREAD_GRACE_MS, () => process.exit(0));
}

/** Prints the generated secrets, after the ready line. They are printed nowhere else. */
const printSecrets = (secrets: OwnSecrets): void => {
  for (const [name, secret] of secrets) printLine(`catp: segredo de ${name}: ${secret}`);
};

const tlsFolder = ({ data }: DevFlags): string => join(data, 'tls');

/** Returns the settings of `--tls`. Throws when `--set` names one that `--tls` creates. */
function tlsSettings(flags: DevFlags): SettingPair[] {
  if (flags.tls === undefined) return [];
  const pairs = Object.entries({ 'tls.porta': flags.tls, ...serverFiles(tlsFolder(flags)) });
  const duplicate = flags.set?.find(([name]) => pairs.some(([made]) => made === name));
  if (duplicate !== undefined)
    throw new UsageError(
      `--tls faz e indica ${duplicate[0]}: retire --set ${duplicate[0]}, ou troque --tls por --tls-port.`,
    );
  return pairs;
}

/** Wildcard addresses, at which no client can call this machine. */
const UNSPECIFIED: readonly string[] = ['0.0.0.0', '::'];

/** Returns the host name and the addresses of this machine. */
const ownNames = (): string[] => [
  hostname(),
  ...Object.values(networkInterfaces()).flatMap((all = []) =>
    all.filter(({ scopeid = 0 }) => scopeid === 0).map(({ address }) => address),
  ),
];

/** Returns all names of the server (contract section 13). */
const serverNames = ({ 'servidor.nomes': names, host }: Settings): string[] => [
  ...new Set([
    ...['localhost', '127.0.0.1', '::1', ...SETTINGS['servidor.nomes'].default.split(',')],
    ...names,
    ...(UNSPECIFIED.includes(host) ? ownNames() : [host]),
  ]),
];

/** Returns true when `init` created the folder. An older `init` left no mark: then any account shows it. */
const isServerFolder = ({ db, session: { accounts } }: Core): boolean =>
  new FolderMarks(db).find(MADE_BY_INIT) !== undefined ||
  accounts.listUsers().length > 0 ||
  accounts.listCompanies().length > 0;

/** Returns the clock. `--clock` has priority over that of the snapshot. */
function clockOf({ clock, snapshot, data }: DevFlags): Clock {
  const snapshotTime = snapshot === undefined ? null : clockOfSnapshot(data, snapshot);
  if (clock === undefined) return snapshotTime === null ? new SystemClock() : new TestClock(snapshotTime);
  const start = instantOf(clock);
  if (start === undefined)
    throw new UsageError(
      `--clock: recebido '${clock}'; aceita um instante ISO 8601, por exemplo 2026-01-31T12:00:00Z (sem fuso, o de Brasília).`,
    );
  return new TestClock(start);
}

/** The limit of unread output, in bytes. Above it no line is added to the screen. */
const UNREAD_MAX_BYTES = 1024 * 1024;
/** The wait at the end of the process for the last output to be read. */
const UNREAD_GRACE_MS = 300;
const STANDARD_ERROR = 2;

function openScreen(clock: Clock): Screen {
  return new Screen({
    clock,
    realTime: REAL_TIME,
    colours: isatty(STANDARD_ERROR) && wantsColour() ? COLOURED : PLAIN,
    write: (text) => void process.stderr.write(text),
    isFull: () => process.stderr.writableLength > UNREAD_MAX_BYTES,
  });
}

const bannerOf = (
  flags: DevFlags,
  { ambiente, perfil }: Settings,
  clock: Clock,
  secrets: OwnSecrets | undefined,
) => ({
  version: VERSION,
  ambiente,
  perfil,
  data: flags.data,
  certificates:
    flags.tls === undefined
      ? undefined
      : { folder: quoted(tlsFolder(flags)), password: PFX_PASSWORD, company: COMPANY_USER },
  ownSecrets: flags.secrets !== undefined,
  shell: SHELL,
  testClock: clock.test ? momentText(clock.now()) : undefined,
  users: USERS.filter((user) => 'administrador' in user || maySignIn(ambiente, 'orgao' in user)).map(
    (user) => ({ ...user, hasKey: secrets === undefined || secrets.get(user.key) !== undefined }),
  ),
});

/** Decides which users may sign in (contract section 1). */
const maySignIn = (ambiente: string, isPublic: boolean): boolean =>
  ambiente === 'producao' || isPublic === (ambiente === 'homologacao');

/** The check interval: a server outlives its parent by at most this time. */
const PARENT_CHECK_MS = 250;

/**
 * Resolves when the parent process is gone: the system then assigns another parent, or (Windows) none. For test
 * suites, whose end the server must not survive.
 */
function parentEnded(realTime: RealTime): Promise<void> {
  const parent = process.ppid;
  return new Promise((resolve) => {
    const check = (): void => {
      if (process.ppid === parent && isAlive(parent)) realTime.after(PARENT_CHECK_MS, check);
      else resolve();
    };
    check();
  });
}
