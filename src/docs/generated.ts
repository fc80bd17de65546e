/**
 * Generates parts of pages from the code at serving time, so that they are always current: `<!-- gerado: NAME
 * -->`.
 */
import type { Argument, Command, Option } from 'commander';
import { environmentName } from '../settings/config.ts';
import { EVENT_TYPES } from '../notification/event/types.ts';
import { CHAOS_SETS, CHAOS_SET_NAMES } from '../dev/fault/model.ts';
import { RIGHTS, type Right, includesRight } from '../right.ts';
import type { OperationRight } from '../http/operation.ts';
import { SETTINGS } from '../settings/settings.ts';
import { CODE_LISTS, statusRows } from './codes.ts';

/** Values that only the running program knows. */
export interface HelpParts {
  /** Every command of the command line. */
  readonly commands: () => Promise<readonly Command[]>;
  readonly jobs: readonly ListedJob[];
  readonly operations: () => Promise<readonly WritingOperation[]>;
}

export interface WritingOperation {
  readonly id: string;
  readonly summary: string;
  readonly method: string;
  readonly right: OperationRight;
}

export interface ListedJob {
  readonly name: string;
  readonly about: string;
  /** `undefined`: runs only on request. */
  readonly pattern: string | undefined;
}

type Generator = (parts: HelpParts) => string | Promise<string>;

const GENERATORS: Readonly<Record<string, Generator>> = {
  configuracoes: settingsTable,
  status: () =>
    table(
      ['Status', 'Código', 'Causa', 'O que fazer'],
      statusRows.map(({ status, code, meaning, remedy }) => [String(status), code, meaning, remedy]),
    ),
  codigos: () =>
    CODE_LISTS.map(
      ({ title, codes }) =>
        `## ${title}\n\n${table(
          ['Código', 'Causa', 'O que fazer'],
          codes.map(({ code, meaning, remedy }) => [`\`${code}\``, meaning, remedy]),
        )}`,
    ).join('\n\n'),
  comandos: async ({ commands }) =>
    (await commands()).map((command) => commandText(command, [])).join('\n\n'),
  'conjuntos-de-falhas': () =>
    table(
      ['Conjunto', 'Taxa', 'O que acontece', 'Falhas'],
      CHAOS_SET_NAMES.map((name) => {
        const { percent, about, kinds } = CHAOS_SETS[name];
        return [`\`${name}\``, `${percent} %`, about, kinds.map((kind) => `\`${kind}\``).join(', ')];
      }),
    ),
  tarefas: ({ jobs }) =>
    table(
      ['Tarefa', 'Quando (cron, Brasília)', 'O que faz'],
      jobs.map(({ name, pattern, about }) => [
        `\`${name}\``,
        pattern === undefined ? 'só quando pedida' : `\`${pattern}\``,
        about,
      ]),
    ),
  papeis: async ({ operations }) =>
    table(
      ['O que grava', 'Operação', ...RIGHTS.map((right) => `\`${right}\``)],
      (await operations())
        .filter(({ method, right }) => method !== 'GET' && right !== 'none')
        .map(({ id, summary, right }) => [
          summary,
          `[\`${id}\`](/docs/${id})`,
          ...RIGHTS.map((one) => (includesRight(one, right as Right) ? 'sim' : '–')),
        ]),
    ),
  eventos: () =>
    table(
      ['Evento', 'O que conta', 'Publicado'],
      EVENT_TYPES.map(({ evento, title, automatic }) => [
        `\`${evento}\``,
        title,
        automatic ? 'pelo catálogo' : 'à mão',
      ]),
    ),
};

/** Returns the Markdown with the generated parts inserted. */
export async function filled(markdown: string, parts: HelpParts): Promise<string> {
  const pieces = markdown.split(/^<!-- gerado: ([\w-]+) -->$/m);
  const texts = await Promise.all(
    pieces.map(async (piece, index) => (index % 2 === 0 ? piece : generatorOf(piece)(parts))),
  );
  return texts.join('');
}

function generatorOf(name: string): Generator {
  const generator = GENERATORS[name];
  if (generator === undefined) throw new Error(`nothing generates '${name}'`);
  return generator;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function settingsTable(): string {
  const valueText = (value: string): string => (value === '' ? '–' : `\`${value}\``);
  return table(
    ['Configuração', 'Padrão', 'Significado', 'Variável de ambiente'],
    Object.entries(SETTINGS).map(([name, setting]) => [
      `\`${name}\``,
      'portal' in setting && setting.portal !== undefined
        ? `${valueText(setting.default)}; portal: ${valueText(setting.portal)}`
        : valueText(setting.default),
      literal(setting.about),
      `\`${environmentName(name)}\``,
    ]),
  );
}

/** Describes a command and its subcommands from the data of commander. */
function commandText(command: Command, above: readonly string[]): string {
  const words = [...above, command.name()];
  const help = command.createHelp();
  const below = help.visibleCommands(command).filter((one) => one.name() !== 'help');
  const flags = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  const rows = [
    ...help.visibleArguments(command).map((argument) => [help.argumentTerm(argument), detailsOf(argument)]),
    ...flags.map((one) => [help.optionTerm(one), detailsOf(one)]),
  ].map(([term = '', about = '']) => [`\`${term}\``, about]);
  const isGroup = below.length > 0 && rows.length === 0;
  const usage = usageOf(command);
  return [
    `${above.length === 0 ? '##' : '###'} catp ${words.join(' ')}`,
    `${capitalised(literal(command.description()))}.`,
    ...(isGroup ? [] : [`Uso: \`${['catp', ...words, usage].join(' ').trim()}\``]),
    ...(rows.length === 0 ? [] : [table(['Argumento ou opção', 'Significado'], rows)]),
    ...remarksOf(command),
    ...below.map((one) => commandText(one, words)),
  ].join('\n\n');
}

/** Returns the additional help after the data of commander: examples, exit codes. */
function remarksOf(command: Command): readonly string[] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const remarks = help.slice(command.helpInformation().length).trim();
  return remarks === '' ? [] : [`\`\`\`\n${remarks}\n\`\`\``];
}

const usageOf = (command: Command): string =>
  command.usage().replace('[options]', '[opções]').replace('[command]', '[comando]');

function detailsOf({
  description,
  defaultValue,
  defaultValueDescription = String(defaultValue),
  argChoices,
}: Argument | Option): string {
  const hasDefault =
    defaultValue !== undefined && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  const details = [
    ...(argChoices === undefined ? [] : [`aceita ${argChoices.join(', ')}`]),
    ...(hasDefault ? [`padrão: \`${defaultValueDescription}\``] : []),
  ].join('; ');
  return details === '' ? literal(description) : `${literal(description)} (${details})`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Escapes a text for Markdown, in which `*` and similar characters are literal. */
const literal = (text: string): string => text.replaceAll(/[\\`*_[\]<>]/g, (sign) => `\\${sign}`);
