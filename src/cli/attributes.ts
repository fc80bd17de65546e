/** `catp attributes`: tables of attributes by NCM, also while the server runs (contract section 8). */
import type { Command } from 'commander';
import type { TableDifference } from '../catalogue/attribute/table/difference.ts';
import { Impact } from '../catalogue/attribute/activation/impact.ts';
import type { AttributeNote, Modalidade } from '../catalogue/attribute/words/model.ts';
import { DeadlineUntil } from '../catalogue/attribute/deadline/model.ts';
import { deadlineColumns, deadlineRows, deadlineTableTexts } from '../catalogue/attribute/deadline/page.ts';
import { NcmParams } from '../catalogue/attribute/public-schemas.ts';
import { ActivationRequest } from '../catalogue/attribute/schemas.ts';
import { skeleton } from '../catalogue/attribute/check/skeleton.ts';
import { PRODUCT_DEACTIVATIONS } from '../catalogue/brake.ts';
import { CATALOGUE_CODES } from '../catalogue/codes.ts';
import { DomainError, OperatorError, type Problem } from '../errors.ts';
import { dayOf } from '../validation/calendar.ts';
import { COMMAND_LINE } from '../session/model.ts';
import { withCount, visible } from '../validation/text.ts';
import { companiesWith } from './known-companies.ts';
import { choice, integer } from './values.ts';
import { checked, folderCommand, readingCommand, printLine } from './folder-command.ts';
import type { OpenFolder } from './open.ts';
import { listCommand } from './list.ts';
import { command } from './command.ts';
import { printTable } from './table.ts';

interface DayFlags {
  readonly on?: string;
}

/** A limit above the size of any catalogue. */
const EXPECTED_MAX = 1_000_000_000;

interface ActivateFlags extends DayFlags {
  readonly expected?: number;
}

interface DiffFlags extends DayFlags {
  readonly csv?: true;
}

interface DeadlineFlags {
  readonly empresa?: string;
  readonly until?: string;
  readonly unconfirmed?: true;
  readonly csv?: true;
}

interface NewFlags {
  readonly modalidade: Modalidade;
}

const MODALIDADES = ['IMPORTACAO', 'EXPORTACAO', 'AMBOS'] as const;

/** The exit code when a fetched table is not activated automatically (contract section 19). */
export const NOT_ACTIVATED_EXIT_CODE = 2;
export const FETCH_EXIT_CODES = `Código de saída: 0 nova ou a mesma, ${NOT_ACTIVATED_EXIT_CODE} buscada e retida ou comando inválido,
1 não foi buscada ou foi recusada.`;

/** Maximum number of lines shown of each kind. The others are counted. */
const LINES_MAX = 20;

export function attributesCommand(): Command {
  return command('attributes', 'tabelas de atributos por NCM, também com o servidor em execução')
    .addCommand(
      folderCommand(
        'load <arquivo>',
        'carrega uma tabela (JSON ou zip), sem colocá-la em vigor, e mostra o que ela mudaria',
        load,
      ),
    )
    .addCommand(
      folderCommand('fetch', 'busca a tabela em atributos.origem e a carrega', fetch, FETCH_EXIT_CODES),
    )
    .addCommand(
      listCommand('lista as tabelas carregadas', ({ catalogue }) => catalogue.attribute.service.list(), {
        Versão: ({ versao }) => versao,
        NCMs: ({ ncms }) => ncms,
        Atributos: ({ attributes }) => attributes,
        'Carregada em': ({ loadedAt }) => loadedAt,
        'Em vigor': ({ inForce }) => inForce,
        'A partir de': ({ scheduledOn }) => scheduledOn.join(', ') || null,
        'Retida porque': ({ keptBack }) => keptBack,
      }),
    )
    .addCommand(
      readingCommand<DiffFlags>('diff <versao>', 'mostra o que muda se a tabela entrar em vigor', diff)
        .option('--on <dia>', 'como seria nesse dia (yyyy-MM-dd; padrão: hoje)')
        .option('--csv', 'só os produtos que deixariam de ser válidos, em CSV'),
    )
    .addCommand(
      folderCommand<ActivateFlags>('activate <versao>', 'coloca a tabela em vigor', activate)
        .option('--on <dia>', 'nesse dia (yyyy-MM-dd; padrão: agora)')
        .option(
          '--expected <n>',
          'confirma quantos produtos ela desativa, quando são muitos',
          integer('--expected', 0, EXPECTED_MAX),
        ),
    )
    .addCommand(
      folderCommand<DayFlags>(
        'cancel <versao>',
        'cancela a entrada em vigor da tabela em um dia futuro',
        cancel,
      ).option('--on <dia>', 'só a desse dia (yyyy-MM-dd; padrão: a de todos)'),
    )
    .addCommand(
      readingCommand<DeadlineFlags>(
        'deadlines',
        'lista os prazos: o que passa a ser exigido dos produtos, a partir de quando, e em quantos falta',
        deadlines,
      )
        .option(
          '--empresa <cpfCnpjRaiz>',
          'só os produtos desta empresa (padrão: os de todas, uma linha por empresa)',
        )
        .option('--until <dia>', 'só o que é exigido até esse dia (yyyy-MM-dd)')
        .option('--unconfirmed', 'em vez disso, o que foi anunciado e a tabela em vigor não confirmou')
        .option('--csv', 'em CSV'),
    )
    .addCommand(
      readingCommand<NewFlags>(
        'new <versao> <ncm>',
        'imprime o modelo de um produto, a preencher e enviar',
        newProduct,
      )
        .option(
          '--modalidade <modalidade>',
          MODALIDADES.join(' | '),
          choice('--modalidade', MODALIDADES),
          'IMPORTACAO',
        )
        .addHelpText(
          'after',
          '\nO produto vai para a saída padrão; o que cada atributo aceita, para a de erros.\n',
        ),
    );
}

async function load({ catalogue, db }: OpenFolder, _: object, file = ''): Promise<void> {
  const { service } = catalogue.attribute;
  const { id, versao, ncms, attributes } = await service.loadFile(file, COMMAND_LINE);
  printLine(`Tabela ${versao} carregada: ${withCount(ncms, 'NCM')}, ${withCount(attributes, 'atributo')}.`);
  if (service.list().some((table) => table.id === id && table.inForce))
    return printLine('Ela já está em vigor.');
  showImpact(new Impact(db, service.impactRequest(id, undefined)));
  printLine(`\nColocar em vigor: catp attributes activate ${versao}, ou em um dia, com --on yyyy-MM-dd.`);
}

async function fetch({ catalogue, db }: OpenFolder): Promise<number> {
  const { service, origin } = catalogue.attribute;
  const { outcome, message, asks, tableId } = await origin.runOnce(COMMAND_LINE);
  printLine(message);
  const table = service.list().find(({ id }) => id === tableId);
  if (asks !== 'nothing' && table !== undefined) {
    showImpact(new Impact(db, service.impactRequest(table.id, undefined)));
    printLine(
      `\nColocar em vigor: catp attributes activate ${table.versao}, ou em um dia, com --on yyyy-MM-dd.`,
    );
  }
  return outcome === 'keptBack' ? NOT_ACTIVATED_EXIT_CODE : 0;
}

async function diff({ catalogue, db }: OpenFolder, flags: DiffFlags, versao = ''): Promise<void> {
  const { service } = catalogue.attribute;
  const { on } = checked(ActivationRequest, { on: flags.on });
  const impact = new Impact(db, service.impactRequest(service.getByVersao(versao).id, on));
  if (flags.csv === true) {
    for await (const chunk of impact.text('csv')) process.stdout.write(chunk);
    return;
  }
  showImpact(impact);
}

/** Shows what would change, and the active products that would become invalid. */
function showImpact(impact: Impact): void {
  showDifference(impact.difference());
  const listedProducts: object[] = [];
  let total = 0;
  for (const { cpfCnpjRaiz, ncm, codigo, problems } of impact.invalidProducts()) {
    total += 1;
    if (total <= LINES_MAX)
      listedProducts.push({
        'CPF/CNPJ raiz': cpfCnpjRaiz,
        NCM: ncm,
        Código: codigo,
        Problema: problems.map(({ message }) => message).join(' '),
      });
  }
  printLine(`\nProdutos ativos que deixariam de ser válidos: ${total}`);
  if (total > 0) printTable(listedProducts);
  if (total > LINES_MAX) printLine(`… e mais ${total - LINES_MAX}; todos com catp attributes diff --csv.`);
}

function showDifference({ from, to, ncms, attributes, requiredPairs }: TableDifference): void {
  printLine(`De ${from === null ? 'nenhuma tabela' : `versão ${from}`} para versão ${to}:`);
  const pair = (one: { ncm: string; atributo: string; modalidade: string }): string =>
    `${one.ncm} ${one.atributo} (${one.modalidade})`;
  const lines: readonly (readonly [about: string, items: readonly string[]])[] = [
    ['NCMs incluídas', ncms.added],
    ['NCMs retiradas', ncms.removed],
    ['NCMs alteradas', ncms.changed],
    ['Atributos incluídos', attributes.added],
    ['Atributos retirados', attributes.removed],
    [
      'Atributos alterados',
      attributes.changed.map(({ atributo, members }) => `${atributo} (${members.join(', ')})`),
    ],
    ['Obrigatórios incluídos', requiredPairs.added.map(pair)],
    ['Obrigatórios retirados', requiredPairs.removed.map(pair)],
    ['Obrigatórios alterados', requiredPairs.changed.map(pair)],
  ];
  for (const [about, items] of lines) {
    const more = items.length > LINES_MAX ? ', …' : '';
    const itemsText = items.length === 0 ? '' : `: ${items.slice(0, LINES_MAX).join(', ')}${more}`;
    printLine(`  ${about}: ${items.length}${itemsText}`.replace(/: (\d+): /, ' ($1): '));
  }
}

const BRAKE_TEXTS = {
  ...PRODUCT_DEACTIVATIONS,
  field: '--expected',
  ask: (deactivations: number) => `acrescente --expected ${deactivations}`,
};

const isBrakeProblem = ({ code }: Problem): boolean => code === CATALOGUE_CODES.tooManyDeactivations.code;

async function activate({ catalogue, db }: OpenFolder, flags: ActivateFlags, versao = ''): Promise<void> {
  const { service } = catalogue.attribute;
  const { on } = checked(ActivationRequest, { on: flags.on });
  const { id } = service.getByVersao(versao);
  const quotaOwner = { user: COMMAND_LINE };
  const { deactivated, events } = await service
    .activate(id, on, COMMAND_LINE, quotaOwner, flags.expected, BRAKE_TEXTS)
    .catch((error: unknown) => {
      const problem = error instanceof DomainError ? error.problems.find(isBrakeProblem) : undefined;
      if (problem === undefined) throw error;
      showImpact(new Impact(db, service.impactRequest(id, on)));
      throw new OperatorError(problem.message);
    });
  if (service.list().some((table) => table.id === id && table.inForce))
    printLine(
      `Tabela ${versao} em vigor. Produtos desativados: ${deactivated}; eventos publicados: ${events}.`,
    );
  else printLine(`Tabela ${versao} entra em vigor em ${on}.`);
}

async function cancel({ catalogue }: OpenFolder, flags: DayFlags, versao = ''): Promise<void> {
  const { service } = catalogue.attribute;
  const { on } = checked(ActivationRequest, { on: flags.on });
  await service.cancel(service.getByVersao(versao).id, on, COMMAND_LINE);
  printLine(`A tabela ${versao} não entra mais em vigor em ${on ?? 'nenhum dia futuro'}.`);
}

async function deadlines(open: OpenFolder, flags: DeadlineFlags): Promise<void> {
  const { until } = checked(DeadlineUntil, { until: flags.until });
  const companies = companiesWith(open, flags.empresa);
  const { empresa } = flags;
  const filter = {
    today: dayOf(open.clock.now()),
    companies: empresa === undefined ? [...companies] : [empresa],
    ...(empresa === undefined && { listed: open.session.accounts.listCompanies() }),
    until,
    unconfirmed: flags.unconfirmed,
  };
  const read = { kind: 'deadlineTable', filter, columns: undefined, format: 'csv' } as const;
  if (flags.csv === true) {
    for await (const chunk of deadlineTableTexts(open.db, read)) process.stdout.write(chunk);
    return;
  }
  const rows = [...deadlineRows(open.db, filter)].filter((row) => row !== undefined);
  printTable(
    rows.map((row) =>
      Object.fromEntries(deadlineColumns(filter).map(({ heading, cell }) => [heading, cell(row)])),
    ),
  );
}

function newProduct({ catalogue, clock }: OpenFolder, flags: NewFlags, versao = '', received = ''): void {
  const { service, prepared } = catalogue.attribute;
  const { codigoNcm } = checked(NcmParams, { codigoNcm: received });
  const ncm = prepared.find(service.getByVersao(versao).id, codigoNcm.replaceAll('.', ''));
  if (ncm === undefined) throw new OperatorError(`A NCM ${received} não está na tabela ${versao}.`);
  const { product, notes } = skeleton(ncm, dayOf(clock.now()), flags.modalidade);
  printLine(JSON.stringify(product, null, 2));
  for (const note of notes) process.stderr.write(`${visible(noteText(note))}\n`);
}

function noteText(note: AttributeNote): string {
  const need = note.obrigatorio ? 'obrigatório' : 'opcional';
  const reason = note.condicao === null ? '' : ` quando ${note.condicao}`;
  const where = note.composto === null ? note.lista : `dentro de ${note.composto}`;
  const limits = [
    note.tamanhoMaximo === null ? [] : [`até ${note.tamanhoMaximo} caracteres`],
    note.casasDecimais === null ? [] : [`até ${note.casasDecimais} decimais`],
    note.mascara === null ? [] : [`máscara ${note.mascara}`],
  ].flat();
  const form = [note.formaPreenchimento, ...limits].join(', ');
  const domain = note.dominio.map(({ codigo, descricao }) => `\n    ${codigo}  ${descricao}`).join('');
  return `${note.atributo} ${note.nomeApresentacao}: ${need}${reason}; em ${where}; ${form}${domain}`;
}
