/**
 * `catp remote add` and `catp remote change`: defines remotes and their connections (contract section 18, Set
 * up).
 */
import type { Command } from 'commander';
import { catalogueRules } from '../catalogue/rules.ts';
import { UsageError } from '../errors.ts';
import { REMOTE_RULES, type RemoteRules, remoteSchemas } from '../remote/model.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { checked, folderCommand, printLine } from './folder-command.ts';
import { printNextSteps } from './next-steps.ts';
import type { OpenFolder } from './open.ts';
import { type FolderFlags, collect, folderWords } from './options.ts';
import { withFlagNames } from './remote-words.ts';
import { choice, contentOf, integer } from './values.ts';

interface ConnectionFlags extends FolderFlags {
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

const PER_HOUR_MAX = 1_000_000;
const NO_DOWNTIME = 'nenhuma';

export const addCommand = (): Command =>
  withConnectionFlags(
    folderCommand<ConnectionFlags>(
      'add <nome>',
      'inclui um remoto: com --url, comparado pela rede; sem ela, por arquivos',
      (open, flags, name = '') => withFlagNames(() => add(open, name, flags)),
    ).requiredOption(
      '--empresa <cpfCnpjRaiz>',
      'empresa cujo catálogo está no remoto; repetível',
      collect,
      [],
    ),
  );

export const changeCommand = (): Command =>
  withConnectionFlags(
    folderCommand<ConnectionFlags>(
      'change <nome>',
      'altera dados de um remoto, como um A1 renovado; o que não é informado não muda',
      (open, flags, name = '') => withFlagNames(() => change(open, name, flags)),
    ).option(
      '--empresa <cpfCnpjRaiz>',
      'empresa cujo catálogo está no remoto; repetível, informe todas',
      collect,
      [],
    ),
  );

const withConnectionFlags = (made: Command): Command =>
  made
    .option(
      '--rules <regras>',
      `limites que valem no remoto: ${REMOTE_RULES.join(' | ')}`,
      choice('--rules', REMOTE_RULES),
    )
    .option('--url <endereço>', 'endereço do servidor: https, ou http em loopback')
    .option('--client-id <id>', 'Client-Id da chave de acesso no remoto')
    .option('--secret-file <arquivo>', 'arquivo só com o Client-Secret')
    .option('--pfx <arquivo>', 'em vez da chave: certificado A1 com sua chave (.pfx, .p12)')
    .option('--pem <arquivo>', 'em vez da chave: certificado e chave em PEM')
    .option('--password-file <arquivo>', 'arquivo só com a senha do PFX, ou da chave')
    .option('--ca <arquivo>', 'autoridades certificadoras aceitas além das usuais (PEM)')
    .option(
      '--per-hour <n>',
      'máximo de requisições por hora em cada operação (padrão: 900)',
      integer('--per-hour', 1, PER_HOUR_MAX),
    )
    .option(
      '--downtime <de-até>',
      `parada diária do remoto, no horário de Brasília, em que nada é enviado, como 01:00-03:00; ou ${NO_DOWNTIME}`,
    )
    .option('--other-environment', 'aceita um remoto de outro ambiente');

async function add(open: OpenFolder, name: string, flags: ConnectionFlags): Promise<void> {
  const { Request } = remoteSchemas(catalogueRules(open.settings));
  const { empresa, rules } = flags;
  if (empresa.length === 0)
    throw new UsageError(
      '--empresa: falta; informe a raiz do CNPJ, ou o CPF, de cada empresa que está no remoto.',
    );
  const request = { name, companies: [...empresa], rules, ...connectionIn(flags) };
  await open.remote.remotes.add(checked(Request, request), COMMAND_LINE);
  printLine(`Remoto ${name} gravado.`);
  const [first = '<cpfCnpjRaiz>'] = empresa;
  if (flags.url !== undefined)
    return printNextSteps([
      `Confira a entrada: catp remote test ${name} ${folderWords(flags)}`,
      `Compare, um minuto depois: catp remote compare ${name} --empresa ${first} ${folderWords(flags)}`,
    ]);
  printNextSteps([
    `Exporte lá os produtos e os operadores (com os desativados) e os vínculos, e compare: catp remote compare ${name} --empresa ${first} --produtos <zip> --operadores <zip> --vinculos <zip> ${folderWords(flags)}`,
  ]);
}

async function change(open: OpenFolder, name: string, flags: ConnectionFlags): Promise<void> {
  const { Change } = remoteSchemas(catalogueRules(open.settings));
  const { remotes } = open.remote;
  const { empresa, rules } = flags;
  const change = { rules, ...connectionIn(flags), ...(empresa.length > 0 && { companies: [...empresa] }) };
  if (Object.values(change).every((value) => value === undefined))
    throw new UsageError('remote change: nada a alterar; informe ao menos uma opção, como --secret-file.');
  const before = remotes.find(name).id;
  await remotes.change(name, checked(Change, change), COMMAND_LINE);
  const isOtherServer = remotes.find(name).id !== before;
  printLine(
    `Remoto ${name} alterado.${isOtherServer ? ' É outro servidor: os pares de registros foram esquecidos.' : ''}`,
  );
}

/**
 * Returns the connection of the flags. Secrets come from files only, since typed text stays in shell
 * histories.
 */
function connectionIn(flags: ConnectionFlags) {
  const { url, clientId, secretFile, pfx, pem, passwordFile, ca, perHour, downtime, otherEnvironment } =
    flags;
  if (pfx !== undefined && pem !== undefined)
    throw new UsageError('--pem: veio com --pfx; informe um dos dois.');
  const textIn = (flag: string, path: string | undefined) =>
    path === undefined ? undefined : withoutMarks(contentOf(flag, path).toString('utf8'));
  const certificate = pfx === undefined ? textIn('--pem', pem) : contentOf('--pfx', pfx).toString('base64');
  return {
    url,
    clientId,
    certificate,
    perHour,
    otherEnvironment,
    ca: textIn('--ca', ca),
    clientSecret: textIn('--secret-file', secretFile),
    password: textIn('--password-file', passwordFile),
    downtime: downtime === NO_DOWNTIME ? null : downtime,
  };
}

/**
 * Removes the marks of editors: some begin a file with a byte order mark, and most end it with a line break.
 */
function withoutMarks(text: string): string {
  const from = text.startsWith('\uFEFF') ? 1 : 0;
  let to = text.length;
  while (to > from && (text[to - 1] === '\n' || text[to - 1] === '\r')) to -= 1;
  return text.slice(from, to);
}
