/** `catp remote`: compares other servers of this interface with the local catalogue (contract section 18). */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { Db } from '../db/open.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { refuseUnreadable } from '../files/from-operator.ts';
import { REMOTE_KINDS, REMOTE_STATES, STATE_WORDS } from '../remote/compare/model.ts';
import { type UploadFile, SENT_STATES, remoteFileTexts } from '../remote/files.ts';
import type { Comparison } from '../remote/model.ts';
import { recordsIn } from '../remote/record-list-query.ts';
import { KIND_WORDS, recordTableTexts } from '../remote/records.ts';
import { comparisonOf, recordOf } from '../remote/forms.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { momentText } from '../validation/calendar.ts';
import { visibleLines } from '../validation/text.ts';
import { folderCommand, onFolder, readingCommand, printLine } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { listCommand } from './list.ts';
import { type OpenFolder, asOfNow } from './open.ts';
import { command } from './command.ts';
import type { FolderFlags } from './options.ts';
import { printTable } from './table.ts';
import { runCommand } from './remote-run.ts';
import { runsCommand } from './remote-runs.ts';
import { localMomentText } from './run-display.ts';
import { addCommand, changeCommand } from './remote-connection.ts';
import { withFlagNames } from './remote-words.ts';
import { writeCompleteFile } from './complete-file.ts';

interface CompareFlags extends FolderFlags {
  readonly empresa: string;
  readonly produtos?: string;
  readonly operadores?: string;
  readonly vinculos?: string;
  readonly force?: true;
  readonly json?: true;
  readonly csv?: string;
}

interface FilesFlags {
  readonly empresa: string;
  readonly to: string;
}

const NOT_COMPARED = 1;
const DIFFERENT = 2;
const EXIT_CODES = `Código de saída: 0 tudo igual, ${DIFFERENT} há diferenças ou o comando é
inválido, ${NOT_COMPARED} não pôde comparar ou foi recusado.`;

export function remoteCommand(): Command {
  return command(
    'remote',
    'remotos: compara, envia e busca entre este catálogo e o do serviço público, também com o servidor em execução',
  )
    .addCommand(addCommand())
    .addCommand(changeCommand())
    .addCommand(
      listCommand('lista os remotos', ({ remote }) => remote.remotes.list(), {
        Nome: ({ name }) => name,
        Empresas: ({ companies }) => companies.join(', '),
        Regras: ({ rules }) => rules,
        Endereço: ({ url }) => url ?? 'por arquivos',
      }),
    )
    .addCommand(
      readingCommand('show <nome>', 'mostra um remoto, em JSON', ({ remote }, _, name = '') => {
        printLine(JSON.stringify(remote.remotes.formOf(name), undefined, 2));
      }),
    )
    .addCommand(
      folderCommand(
        'remove <nome>',
        'remove o remoto, suas comparações e seus pares de registros',
        async ({ remote }, _, name = '') => {
          await remote.remotes.remove(name, COMMAND_LINE);
          printLine(`Remoto ${name} removido. O catálogo daqui e o de lá ficam como estão.`);
        },
      ),
    )
    .addCommand(
      folderCommand(
        'test <nome>',
        'autentica-se no remoto e mostra o resultado',
        async ({ remote }, _, name = '') => {
          const attempt = await withFlagNames(() => remote.remotes.try(name));
          if (!attempt.ok) throw new OperatorError(attempt.message);
          printLine(JSON.stringify(attempt, undefined, 2));
        },
      ),
    )
    .addCommand(compareCommand())
    .addCommand(runCommand('send'))
    .addCommand(runCommand('fetch'))
    .addCommand(runsCommand())
    .addCommand(
      folderCommand<FilesFlags>(
        'files <nome>',
        'grava em uma pasta o que falta enviar, em arquivos para a tela de upload do Portal Único',
        (open, flags, name = '') => writeFiles(open, name, flags),
      )
        .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
        .requiredOption('--to <pasta>', 'pasta nova ou vazia'),
    );
}

const compareCommand = (): Command =>
  onFolder(
    command(
      'compare',
      'compara o catálogo com o do remoto, pela rede ou por arquivos; nada é enviado',
      EXIT_CODES,
    )
      .argument('<nome>', 'o remoto')
      .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
      .option(
        '--produtos <arquivo>',
        'exportação do remoto com os desativados, em zip ou JSON; sem os três arquivos, compara pela rede',
      )
      .option('--operadores <arquivo>', 'o mesmo dos operadores estrangeiros')
      .option('--vinculos <arquivo>', 'o mesmo dos vínculos')
      .option('--force', 'continua mesmo que falte no remoto mais da metade dos registros já conhecidos')
      .option('--json', 'imprime as diferenças em JSON')
      .option('--csv <arquivo>', 'grava nesse arquivo todos os registros comparados'),
    compare,
  );

/** Returns the exit code. */
async function compare(open: OpenFolder, flags: CompareFlags, name: string): Promise<number> {
  const { empresa: cpfCnpjRaiz, force, json, csv } = flags;
  companiesWith(open, cpfCnpjRaiz);
  const request = { cpfCnpjRaiz, forced: force === true, files: filesIn(flags) };
  open.remote.fetcher.onWait = (until, reason) =>
    void process.stderr.write(`Espera até ${localMomentText(momentText(until))}: ${visibleLines(reason)}\n`);
  const comparison = await withFlagNames(() => open.remote.comparisons.runNow(name, request));
  if (comparison.state !== 'done')
    throw new OperatorError(comparison.error?.message ?? 'A comparação não terminou; repita-a.');
  await asOfNow(open.folder.database, async (db) => {
    if (csv !== undefined) {
      const read = {
        kind: 'remoteRecordTable',
        filter: { comparisonId: comparison.id },
        format: 'csv',
      } as const;
      await writeCompleteFile('--csv', csv, () => recordTableTexts(db, read));
    }
    if (json === true) printDifferences(db, comparison);
    else printCounts(comparison);
  });
  const isEqual = Object.values(comparison.counts ?? {}).every((ofKind) =>
    Object.keys(ofKind).every((state) => state === 'igual'),
  );
  return isEqual ? 0 : DIFFERENT;
}

/** Returns all three files; `null`: none is given, and they are fetched. */
function filesIn({ produtos, operadores, vinculos }: CompareFlags) {
  if (produtos === undefined && operadores === undefined && vinculos === undefined) return null;
  if (produtos === undefined || operadores === undefined || vinculos === undefined)
    throw new UsageError(
      'remote compare: informe --produtos, --operadores e --vinculos juntos, ou nenhum deles para comparar pela rede.',
    );
  const files = { produtos, operadores, vinculos };
  for (const [name, path] of Object.entries(files)) requireReadable(`--${name}`, path);
  return files;
}

/**
 * Reports a mistyped file by its flag, before any comparison. The exit code is 1, since 2 means that
 * something differs.
 */
function requireReadable(flag: string, path: string): void {
  try {
    refuseUnreadable(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    throw new OperatorError(`${flag}: ${error.message}`, { cause: error });
  }
}

function printCounts({ id, counts }: Comparison): void {
  printLine(`Comparação ${id}`);
  printTable(
    REMOTE_KINDS.flatMap((kind) =>
      REMOTE_STATES.flatMap((state) => {
        const count = counts?.[kind][state];
        return count === undefined
          ? []
          : [{ Tipo: KIND_WORDS[kind], Estado: STATE_WORDS[state], Registros: count }];
      }),
    ),
  );
}

/** Prints the comparison, and every record that is not equal, one a line. */
function printDifferences(db: Db, made: Comparison): void {
  const { stdout } = process;
  stdout.write(`${JSON.stringify(comparisonOf(made)).slice(0, -1)},"records":[`);
  let isFirst = true;
  for (const record of recordsIn(db, { comparisonId: made.id })) {
    if (record.state === 'igual') continue;
    stdout.write(`${isFirst ? '' : ','}\n${JSON.stringify(recordOf(record))}`);
    isFirst = false;
  }
  stdout.write('\n]}\n');
}

async function writeFiles(open: OpenFolder, name: string, { empresa, to }: FilesFlags): Promise<void> {
  companiesWith(open, empresa);
  const { id, remote } = open.remote.comparisons.newest(name, empresa);
  mkdirSync(to, { recursive: true });
  if (readdirSync(to).length > 0)
    throw new OperatorError(
      `--to: ${to} não está vazia; indique uma pasta nova: um arquivo de outra vez, enviado de novo, incluiria tudo duas vezes.`,
    );
  const selection = { kinds: REMOTE_KINDS, states: SENT_STATES };
  const read = { kind: 'remoteFiles', comparisonId: id, remote, cpfCnpjRaiz: empresa, ...selection } as const;
  let files = 0;
  await asOfNow(open.folder.database, async (db) => {
    for (const json of remoteFileTexts(db, read)) {
      const { name: file, text } = JSON.parse(json) as UploadFile;
      await writeCompleteFile('--to', join(to, file), text);
      if (file.endsWith('.json')) files += 1;
    }
  });
  printLine(`${to}: ${files} arquivo(s) a enviar, da comparação ${id}; leia antes o LEIA-ME.txt.`);
}
