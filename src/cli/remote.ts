/** `catp remote`: other servers of this interface, compared with the catalogue here (contract section 18). */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { catalogueRules } from '../catalogue/rules.ts';
import type { Db } from '../db/open.ts';
import { OperatorError, UsageError } from '../errors.ts';
import { REMOTE_KINDS, REMOTE_STATES, STATE_WORDS } from '../remote/compare/model.ts';
import { type MadeFile, SENT_STATES, remoteFileTexts } from '../remote/files.ts';
import { type Comparison, REMOTE_RULES, type RemoteRules, remoteSchemas } from '../remote/model.ts';
import { foundOf } from '../remote/record-list-query.ts';
import { KIND_WORDS, recordTableTexts } from '../remote/records.ts';
import { comparisonOf, recordOf } from '../remote/shown.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { checked, folderCommand, say } from './folder-command.ts';
import { companiesWith } from './known-companies.ts';
import { listCommand } from './list.ts';
import { sayNext } from './next-steps.ts';
import { type OpenFolder, asOfNow, withFolder } from './open.ts';
import { asOwner } from './owner.ts';
import { command, folderFlags } from './command.ts';
import { type FolderFlags, collect, folderWords } from './options.ts';
import { printTable } from './table.ts';
import { runCommand } from './remote-run.ts';
import { runsCommand } from './remote-runs.ts';
import { choice, contentOf, integer } from './values.ts';
import { writeWhole } from './whole-file.ts';

interface AddFlags extends FolderFlags {
  readonly empresa: readonly string[];
  readonly rules?: RemoteRules;
  readonly url?: string;
  readonly clientId?: string;
  readonly secretFile?: string;
  readonly pfx?: string;
  readonly pem?: string;
  readonly passwordFile?: string;
  readonly ca?: string;
  readonly perHour?: number;
  readonly downtime?: string;
  readonly otherEnvironment?: true;
}

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

const PER_HOUR_MAX = 1_000_000;
const COULD_NOT = 1;
const DIFFERENT = 2;
const EXIT_CODES = `Código de saída: 0 tudo igual, ${DIFFERENT} há diferenças ou o comando está mal
escrito, ${COULD_NOT} não pôde comparar ou foi recusado.`;

export function remoteCommand(): Command {
  return command(
    'remote',
    'remotos: o catálogo daqui em dia com o do serviço público, também com o servidor em execução',
  )
    .addCommand(addCommand())
    .addCommand(
      listCommand('lista os remotos', ({ remote }) => remote.remotes.list(), {
        Nome: ({ name }) => name,
        Empresas: ({ companies }) => companies.join(', '),
        Regras: ({ rules }) => rules,
        Endereço: ({ url }) => url ?? 'por arquivos',
      }),
    )
    .addCommand(
      folderCommand('show <nome>', 'mostra um remoto, em JSON', ({ remote }, _, name = '') => {
        say(JSON.stringify(remote.remotes.shownOf(name), undefined, 2));
      }),
    )
    .addCommand(
      folderCommand(
        'remove <nome>',
        'remove o remoto, suas comparações e o que se sabia de quem é quem',
        async ({ remote }, _, name = '') => {
          await remote.remotes.remove(name, COMMAND_LINE);
          say(`Remoto ${name} removido. O catálogo daqui e o de lá ficam como estão.`);
        },
      ),
    )
    .addCommand(
      folderCommand(
        'test <nome>',
        'entra no remoto e conta o que houve',
        async ({ remote }, _, name = '') => {
          const tried = await remote.remotes.try(name);
          if (!tried.ok) throw new OperatorError(tried.message);
          say(JSON.stringify(tried, undefined, 2));
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
        'grava em uma pasta o que falta enviar, em arquivos para a tela de upload',
        (open, flags, name = '') => writeFiles(open, name, flags),
      )
        .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
        .requiredOption('--to <pasta>', 'pasta nova ou vazia'),
    );
}

const addCommand = (): Command =>
  folderCommand<AddFlags>(
    'add <nome>',
    'inclui um remoto: com --url comparado por rede, sem ele por arquivos',
    async (open, flags, name = '') => {
      const { Request } = remoteSchemas(catalogueRules(open.settings));
      const { empresa, rules } = flags;
      if (empresa.length === 0)
        throw new UsageError(
          '--empresa: falta; informe a raiz do CNPJ, ou o CPF, de cada empresa que está lá.',
        );
      for (const one of empresa) companiesWith(open, one);
      const asked = { name, companies: [...empresa], rules, ...wayIn(flags) };
      await open.remote.remotes.add(checked(Request, asked), COMMAND_LINE);
      say(`Remoto ${name} gravado.`);
      const [first = '<cpfCnpjRaiz>'] = empresa;
      if (flags.url !== undefined)
        return sayNext([
          `Confira a entrada: catp remote test ${name} ${folderWords(flags)}`,
          `Compare, um minuto depois: catp remote compare ${name} --empresa ${first} ${folderWords(flags)}`,
        ]);
      sayNext([
        `Exporte lá os produtos e os operadores (com os desativados) e os vínculos, e compare: catp remote compare ${name} --empresa ${first} --produtos <zip> --operadores <zip> --vinculos <zip> ${folderWords(flags)}`,
      ]);
    },
  )
    .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa cujo catálogo está lá; repetível', collect, [])
    .option(
      '--rules <regras>',
      `que limites valem lá: ${REMOTE_RULES.join(' | ')}`,
      choice('--rules', REMOTE_RULES),
    )
    .option('--url <endereço>', 'endereço do servidor: https, ou http em loopback')
    .option('--client-id <id>', 'Client-Id da chave de acesso de lá')
    .option('--secret-file <arquivo>', 'arquivo só com o Client-Secret')
    .option('--pfx <arquivo>', 'em vez da chave: certificado A1 com sua chave (.pfx, .p12)')
    .option('--pem <arquivo>', 'em vez da chave: certificado e chave em PEM')
    .option('--password-file <arquivo>', 'arquivo só com a senha do PFX, ou da chave')
    .option('--ca <arquivo>', 'PEM de autoridades aceitas além das usuais')
    .option(
      '--per-hour <n>',
      'requisições de cada operação em uma hora, no máximo (padrão: 900)',
      integer('--per-hour', 1, PER_HOUR_MAX),
    )
    .option('--downtime <de-até>', 'parada diária de lá em Brasília, como 01:00-03:00: nela nada sai')
    .option('--other-environment', 'o remoto é de outro ambiente, e se quer assim');

/** What the flags say of the way there; secrets come in files alone, since what is typed stays in histories. */
function wayIn(flags: AddFlags) {
  const { url, clientId, secretFile, pfx, pem, passwordFile, ca, perHour, downtime, otherEnvironment } =
    flags;
  if (pfx !== undefined && pem !== undefined)
    throw new UsageError('--pem: veio com --pfx; informe um dos dois.');
  const line = (flag: string, path: string | undefined) =>
    path === undefined
      ? undefined
      : contentOf(flag, path)
          .toString('utf8')
          .replace(/^\uFEFF/, '') // as some editors begin a file
          .replace(/[\r\n]+$/, '');
  const certificate = pfx === undefined ? line('--pem', pem) : contentOf('--pfx', pfx).toString('base64');
  return {
    ...{ url, clientId, certificate, perHour, downtime, otherEnvironment, ca: line('--ca', ca) },
    ...{ clientSecret: line('--secret-file', secretFile), password: line('--password-file', passwordFile) },
  };
}

const compareCommand = (): Command =>
  asOwner(
    folderFlags(
      command(
        'compare',
        'compara o catálogo com o do remoto, por rede ou por arquivos; nada é enviado',
        EXIT_CODES,
      )
        .argument('<nome>', 'o remoto')
        .requiredOption('--empresa <cpfCnpjRaiz>', 'empresa')
        .option(
          '--produtos <arquivo>',
          'exportação de lá, com os desativados: zip ou JSON; sem os três arquivos, por rede',
        )
        .option('--operadores <arquivo>', 'o mesmo dos operadores estrangeiros')
        .option('--vinculos <arquivo>', 'o mesmo dos vínculos')
        .option('--force', 'segue mesmo que falte mais da metade do que se sabia estar lá')
        .option('--json', 'o que difere, como JSON')
        .option('--csv <arquivo>', 'grava nesse arquivo todos os registros comparados'),
    ),
  ).action(async (name: string, flags: CompareFlags) => {
    process.exitCode = await withFolder(flags, (open) => compare(open, name, flags));
  });

/** The exit code. */
async function compare(open: OpenFolder, name: string, flags: CompareFlags): Promise<number> {
  const { empresa: cpfCnpjRaiz, force, json, csv } = flags;
  companiesWith(open, cpfCnpjRaiz);
  const asked = { cpfCnpjRaiz, forced: force === true, files: filesIn(flags) };
  const made = await open.remote.comparisons.make(name, asked);
  if (made.state !== 'done') throw new OperatorError(made.error ?? 'A comparação não terminou; repita-a.');
  await asOfNow(open.folder.database, async (db) => {
    if (csv !== undefined) {
      const read = { kind: 'remoteRecordTable', filter: { comparisonId: made.id }, format: 'csv' } as const;
      await writeWhole('--csv', csv, () => recordTableTexts(db, read));
    }
    if (json === true) printDifferences(db, made);
    else printCounts(made);
  });
  const isEqual = Object.values(made.counts ?? {}).every((ofKind) =>
    Object.keys(ofKind).every((state) => state === 'igual'),
  );
  return isEqual ? 0 : DIFFERENT;
}

/** All three, or none: then they are fetched. */
function filesIn({ produtos, operadores, vinculos }: CompareFlags) {
  if (produtos === undefined && operadores === undefined && vinculos === undefined) return null;
  if (produtos === undefined || operadores === undefined || vinculos === undefined)
    throw new UsageError(
      'remote compare: informe --produtos, --operadores e --vinculos juntos, ou nenhum deles para comparar por rede.',
    );
  return { produtos, operadores, vinculos };
}

function printCounts({ id, counts }: Comparison): void {
  say(`Comparação ${id}`);
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

/** The comparison, and every record that is not equal, one a line. */
function printDifferences(db: Db, made: Comparison): void {
  const { stdout } = process;
  stdout.write(`${JSON.stringify(comparisonOf(made)).slice(0, -1)},"records":[`);
  let isFirst = true;
  for (const found of foundOf(db, { comparisonId: made.id })) {
    if (found.state === 'igual') continue;
    stdout.write(`${isFirst ? '' : ','}\n${JSON.stringify(recordOf(found))}`);
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
  const asked = { kinds: REMOTE_KINDS, states: SENT_STATES };
  const read = { kind: 'remoteFiles', comparisonId: id, remote, cpfCnpjRaiz: empresa, ...asked } as const;
  let files = 0;
  await asOfNow(open.folder.database, async (db) => {
    for (const json of remoteFileTexts(db, read)) {
      const { name: file, text } = JSON.parse(json) as MadeFile;
      await writeWhole('--to', join(to, file), () => once(text));
      if (file.endsWith('.json')) files += 1;
    }
  });
  say(`${to}: ${files} arquivo(s) a enviar, da comparação ${id}; leia antes o LEIA-ME.txt.`);
}

async function* once(text: string): AsyncGenerator<string> {
  yield text;
}
