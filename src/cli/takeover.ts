/** `catp takeover`: makes the follower machine the one that writes (contract section 26). */
import { existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { OuterSeal } from '../audit/outer-seal.ts';
import { auditKey } from '../audit/seal.ts';
import { type Verification, verifyAudit } from '../audit/verify.ts';
import { type Core, openCore } from '../assembly/core.ts';
import { upgradedText } from '../backup/model.ts';
import { upgrade } from '../backup/upgrade.ts';
import { REAL_TIME, SECOND_MS, SystemClock, monotonicMs } from '../clock.ts';
import {
  DATABASE_FILE,
  type DataFolder,
  KEY_FILE,
  SEAL_FILE,
  fileSize,
  openExistingFolder,
  withUsableFolder,
} from '../db/folder.ts';
import { marksIn } from '../db/folder-mark.ts';
import { followingFile, makeWriter } from '../db/folder-writer.ts';
import { refuseStrangeKeys } from '../db/key-mark.ts';
import { lockFolder } from '../db/lock.ts';
import { type Db, withFileErrors, openWithoutSettings } from '../db/open.ts';
import { integrityIn } from '../doctor/checks/integrity.ts';
import { type Verdict, error } from '../doctor/model.ts';
import { OperatorError } from '../errors.ts';
import {
  type Epoch,
  Epochs,
  FIRST,
  type StoredReport,
  storedReportIn,
  nextNumber,
  unreadableText,
} from '../replica/epoch.ts';
import { folderStateOf, requireCurrent } from '../replica/folder-owner.ts';
import { askEpoch } from '../replica/partner.ts';
import { COMMAND_LINE } from '../session/model.ts';
import type { Settings } from '../settings/config.ts';
import { momentText } from '../validation/calendar.ts';
import { printLine } from './folder-command.ts';
import { printNextSteps } from './next-steps.ts';
import { asOwner } from './owner.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags, folderWords, settingsFor } from './options.ts';
import { reasonOf, remedyFor, systemCode } from '../system/errors.ts';
import { inShell, quoted } from '../system/shell.ts';

/** The path in the help pages. */
const DEFAULT_SOCKET = '/run/litestream/catp.sock';

export function takeoverCommand(): Command {
  const takeover = command('takeover', 'confere a pasta e passa a gravar nesta máquina, que seguia outra');
  return asOwner(folderFlags(takeover))
    .addHelpText(
      'after',
      '\nExige o servidor e o litestream desta máquina parados. A outra máquina precisa\nestar desligada, ou sem catp nem litestream em execução: veja a página\nduas-maquinas.\n',
    )
    .action(runTakeover);
}

async function runTakeover(flags: FolderFlags): Promise<void> {
  const folder = openExistingFolder(flags.data);
  const state = folderStateOf(flags.data);
  if (state.refusal !== undefined) throw state.refusal;
  // A follower cannot be upgraded by `serve` or `migrate`, which refuse it.
  if (state.owner.kind !== 'follower' && state.owner.kind !== 'copy') requireCurrent(flags.data, state);
  const settings = settingsFor(flags);
  // Only the owner may read the created files.
  process.umask(0o077);
  using lock = withUsableFolder(flags.data, () => lockFolder(flags.data));
  if (lock === undefined)
    throw new OperatorError(
      `${flags.data} está em uso por outro catp. Pare-o antes de tomar o lugar da outra máquina.`,
    );
  // The checks before and after this line change no file of the folder: a refused follower continues to
  // follow.
  requireUnwritten(folder);
  const ownEpoch = requireIntegrity(folder);
  const report = withUsableFolder(folder.path, () => storedReportIn(folder.path));
  nextNumber(ownEpoch, report);
  const partnerNotice = await partnerText(settings['replica.par'], ownEpoch);
  withUsableFolder(flags.data, () => endFollowing(folder));
  const clock = new SystemClock();
  const upgraded = await upgrade({ folder, keys: folder.keys, place: settings['backup.pasta'], clock });
  if (upgraded !== undefined) printLine(upgradedText(upgraded, upgraded.copy.path));
  // Litestream starts later, with its own position: this command does not wait for it.
  const alone: Settings = { ...settings, 'replica.socket': '', 'replica.par': '' };
  await using core = openCore({ folder, settings: alone, clock, stopwatch: monotonicMs });
  const { trail, isSealed } = trailOf(core);
  const epoch = await takeOver(core, trail.fault, report);
  if (trail.fault !== undefined)
    process.stderr.write(
      `catp: A trilha de auditoria não está íntegra, e passa a dizê-lo. ${trail.fault.message}\n`,
    );
  printLine(
    `Época ${epoch.number}, desde ${momentText(epoch.since ?? clock.now())}: esta máquina é a que grava. O banco está inteiro, as chaves são dele${
      trail.fault === undefined ? `, a trilha confere até a entrada ${trail.entries}` : ''
    }.`,
  );
  if (!isSealed)
    printLine(`Não havia ${SEAL_FILE}: não se pode provar se a trilha tinha mais entradas; foi selada aqui.`);
  printLine(partnerNotice);
  printLine(litestreamText(folder, settings, epoch));
  printNextSteps(stepsOf(folder, flags, epoch));
}

/** The allowance in ms: Litestream writes the database first, then the file with its position. */
const WRITTEN_AFTER_MS = SECOND_MS;

/**
 * Throws for a follower that was opened for writing: its content differs from the replica and is incomplete.
 */
function requireUnwritten({ path, database }: DataFolder): void {
  const writtenAt = (file: string): number =>
    withUsableFolder(path, () => statSync(file, { throwIfNoEntry: false }))?.mtimeMs ??
    Number.NEGATIVE_INFINITY;
  const followedAt = writtenAt(followingFile(database));
  if (followedAt === Number.NEGATIVE_INFINITY) return;
  const hasLog = fileSize(`${database}-wal`) > 0;
  if (hasLog || writtenAt(database) - followedAt > WRITTEN_AFTER_MS)
    throw new OperatorError(
      `A pasta ${path} seguia a réplica, e um catp gravou nela (${hasLog ? `há ${basename(database)}-wal` : `${basename(database)} é mais novo que ${basename(followingFile(database))}`}): o que há nela não é o que a outra máquina confirmou. A época não mudou. ${restoreFollower(path)}`,
    );
}

/** Describes the remedy that keeps all data of the replica. */
const restoreFollower = (path: string): string =>
  `Nada se perde assim: guarde ${path} como está, ponha no lugar uma pasta só com ${KEY_FILE} e catp.toml, leia a réplica até o fim (catp-segue-fim, ou litestream restore -o ${quoted(join(path, DATABASE_FILE))} e o destino), e rode catp takeover outra vez. A página duas-maquinas mostra os passos.`;

/** Returns the epoch of the database. Throws where it is damaged, or was written with other keys. */
function requireIntegrity(folder: DataFolder): Epoch {
  return withFileErrors(folder.database, () => {
    // This connection leaves no file next to a database that is then refused.
    using db = openWithoutSettings(folder.database);
    const { level, message, remedy } = verdictOf(db);
    if (level !== 'ok') {
      const remedyText = existsSync(followingFile(folder.database)) ? restoreFollower(folder.path) : remedy;
      throw new OperatorError([message, 'A época não mudou.', remedyText].filter(Boolean).join(' '));
    }
    refuseStrangeKeys(db, folder);
    return marksIn(db) === undefined ? FIRST : new Epochs(db).current;
  });
}

/** Returns the verdict. A check that the database prevents has found a fault, too. */
function verdictOf(db: Db): Verdict {
  try {
    return integrityIn(db);
  } catch (problem) {
    if (systemCode(problem) === undefined) throw problem;
    return error(
      `O banco de dados não pode ser lido: ${reasonOf(problem)}.`,
      remedyFor(problem, 'Verifique as permissões e o disco.'),
    );
  }
}

/** Describes the other machine's epoch. Throws when it is ahead of this one: its data would be lost. */
async function partnerText(address: string, ownEpoch: Epoch): Promise<string> {
  if (address === '')
    return 'A outra máquina não foi consultada (falta replica.par): confira que ela está desligada.';
  const answer = await askEpoch(address, REAL_TIME);
  if (answer.kind === 'silent')
    return `A outra máquina (${address}) não disse em que época está (${answer.reason}): confira que ela está desligada.`;
  if (answer.kind === 'unreadable')
    throw new OperatorError(
      `${unreadableText(answer.text)} A época não mudou. Para não a consultar, desligue-a ou rode com --set replica.par=.`,
    );
  const { number } = answer.epoch;
  if (number > ownEpoch.number)
    throw new OperatorError(
      `A outra máquina (${address}) está na época ${number}, e esta pasta na ${ownEpoch.number}: a que tomou o lugar foi ela. Traga esta como seguidora; a época não mudou.`,
    );
  return `ATENÇÃO: a outra máquina (${address}) ainda atende. Desligue-a antes de servir aqui: o que ela grava até lá não chega a esta.`;
}

/**
 * Verifies the trail. A follower has no outer seal, or that of its last write. A seal ahead of the trail is a
 * fault.
 */
function trailOf({ db, folder }: Core): { readonly trail: Verification; readonly isSealed: boolean } {
  const key = auditKey(folder.keys);
  const outer = new OuterSeal(folder.path, key);
  const outerSeal = withUsableFolder(folder.path, () => outer.find());
  const witnesses = typeof outerSeal === 'object' ? [{ name: SEAL_FILE, ...outerSeal }] : [];
  const trail = withUsableFolder(folder.path, () =>
    verifyAudit(db, { key, witnesses, ...(outerSeal === 'strange' && { outer }) }),
  );
  return { trail, isSealed: outerSeal !== 'missing' };
}

async function takeOver(
  { db, folder, writer, trail, backups, epochs }: Core,
  fault: Verification['fault'],
  storedReport: StoredReport | undefined,
): Promise<Epoch> {
  await writer.write(() => trail.reseal(fault));
  await backups.recordOpening(COMMAND_LINE);
  return writer.write((tx) => {
    makeWriter(db, folder.path);
    return epochs.raise(tx, COMMAND_LINE, storedReport);
  });
}

const litestreamText = ({ database }: DataFolder, settings: Settings, { number }: Epoch): string => `
# litestream.yml daqui em diante; DESTINO é o de antes, sem a época
socket:
  enabled: true
  path: ${settings['replica.socket'] || DEFAULT_SOCKET}
dbs:
  - path: ${resolve(database)}
    replica:
      url: DESTINO/epoca-${number}
`;

/**
 * Removes the position file. With it a `litestream restore -f` continues in the file where it stopped.
 * Without it, the command refuses an existing file.
 */
const endFollowing = ({ database }: DataFolder): void => rmSync(followingFile(database), { force: true });

const STOP_OTHER = inShell({
  bash: 'systemctl disable --now catp litestream',
  powershell:
    'Stop-Service catp, Litestream; Set-Service catp -StartupType Disabled; Set-Service Litestream -StartupType Disabled',
});
const START_LITESTREAM = inShell({
  bash: 'systemctl enable --now litestream',
  powershell: 'Set-Service Litestream -StartupType Automatic; Start-Service Litestream',
});

function stepsOf(folder: DataFolder, flags: FolderFlags, { number }: Epoch): string[] {
  const litestreamFolder = join(
    dirname(resolve(folder.database)),
    `.${basename(folder.database)}-litestream`,
  );
  return [
    `na outra máquina: desligada, ou ${STOP_OTHER}`,
    ...(existsSync(litestreamFolder)
      ? [
          `apague o que o Litestream sabia do lugar de antes: ${inShell({ bash: 'rm -r', powershell: 'Remove-Item -Recurse' })} ${quoted(litestreamFolder)}`,
        ]
      : []),
    `aqui: o litestream.yml acima, um destino novo (epoca-${number}) em que nada foi gravado, e ${START_LITESTREAM}`,
    `catp serve ${folderWords(flags)}`,
    'a outra máquina volta como seguidora, por litestream restore: veja a página duas-maquinas',
  ];
}
