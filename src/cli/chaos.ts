/** `catp dev --chaos`: faults chosen by a seed, from the first request on (contract section 15). */
import type { Development } from '../assembly/features/dev.ts';
import { type RuleRequest, SEED_MAX_CHARACTERS } from '../dev/fault/forms.ts';
import { CHAOS_SETS, CHAOS_SET_NAMES, FAULT_KINDS, DEFAULT_SET } from '../dev/fault/model.ts';
import { DomainError, UsageError } from '../errors.ts';
import type { Logger } from '../log/log.ts';
import { formatValue } from '../validation/format-value.ts';

/** The word that stands in place of a seed. */
export const CHAOS_LIST = 'list';

const NAME_WIDTH = Math.max(...CHAOS_SET_NAMES.map((name) => name.length));

/** Lists the sets, one a line: its name, its percentage, its effect on a client. */
export const chaosList = (): string =>
  CHAOS_SET_NAMES.map((name) => {
    const { percent, about } = CHAOS_SETS[name];
    return `${name.padEnd(NAME_WIDTH)}  ${percent} %  ${about}`;
  }).join('\n');

/** Breaks the words into lines that fit within 80 characters. */
const inLines = (words: readonly string[]): string =>
  words.reduce((text, word) => {
    const separator = text.length - text.lastIndexOf('\n') + word.length > HELP_WIDTH ? ',\n' : ', ';
    return `${text}${separator}${word}`;
  });
const HELP_WIDTH = 76;

export const CHAOS_HELP = `Falhas sorteadas (--chaos), por exemplo 7, 7:respostas-perdidas,
7:tudo:50:includeProduct,listProducts ou 7:drop,delay:10. A taxa é de 0 a 100;
sem conjunto, ${DEFAULT_SET}. Os conjuntos, que --chaos ${CHAOS_LIST} explica:
${inLines(CHAOS_SET_NAMES)}.
Ou falhas à escolha:
${inLines(FAULT_KINDS)}.`;

export const SEED_DOMAIN = `até ${SEED_MAX_CHARACTERS} letras sem acento, dígitos, hífen e _`;
export const isSeed = (text: string): boolean => /^[\w-]+$/.test(text) && text.length <= SEED_MAX_CHARACTERS;

/**
 * Parses the rule. Throws `UsageError`. The existence of the operations is checked once the instance is open.
 */
export function chaosFrom(text: string): RuleRequest {
  const [seed = '', words, percent, operations, ...more] = text.split(':');
  if (more.length > 0) throw refusal(text, `aceita no máximo quatro partes, semente:conjunto:taxa:operações`);
  if (!isSeed(seed)) throw refusal(text, `aceita uma semente de ${SEED_DOMAIN}`);
  if (percent !== undefined && !/^(?:\d\d?|100)$/.test(percent))
    throw refusal(text, 'a taxa é um inteiro de 0 a 100');
  return {
    chaos: {
      seed,
      ...(words !== undefined && words !== '' && faultsIn(text, words)),
      ...(operations !== undefined && { operations: operations.split(',') }),
    },
    ...(percent !== undefined && { percent: Number(percent) }),
  };
}

function faultsIn(text: string, words: string): Pick<NonNullable<RuleRequest['chaos']>, 'set' | 'kinds'> {
  const set = CHAOS_SET_NAMES.find((name) => name === words);
  if (set !== undefined) return { set };
  const kinds = words.split(',').map((word) => {
    const kind = FAULT_KINDS.find((one) => one === word);
    if (kind === undefined)
      throw refusal(
        text,
        `${formatValue(word)} não é um conjunto (${CHAOS_SET_NAMES.join(', ')}) nem uma falha (${FAULT_KINDS.join(', ')})`,
      );
    return kind;
  });
  return { kinds };
}

/** Starts the rule. Throws `UsageError` when it names an unknown operation. */
export function beginChaos(
  rule: RuleRequest,
  development: Pick<Development, 'beginFault'> | undefined,
): void {
  try {
    development?.beginFault(rule);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new UsageError(`--chaos: ${error.problems.map(({ message }) => message).join(' ')}`);
  }
}

export function logChaos(log: Logger, { chaos }: RuleRequest): void {
  const { seed = '', set, kinds } = chaos ?? {};
  log.info(
    'Falhas sorteadas pela semente {seed}: {what}. Cada requisição do diário diz que falha encontrou.',
    {
      seed,
      what: kinds?.join(', ') ?? set ?? DEFAULT_SET,
    },
  );
}

const refusal = (text: string, why: string): UsageError =>
  new UsageError(
    `--chaos: recebido ${formatValue(text)}; ${why}. Exemplos: 7, 7:respostas-perdidas, 7:drop,delay:10.`,
  );
