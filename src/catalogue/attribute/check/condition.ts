/**
 * Evaluates conditions on a parent's value (contract section 8): six operators, right-nested `||` and `&&`,
 * numbers and dates compared as such.
 */
import { compareDecimals } from './decimal.ts';
import type { AttributeDetail, Condition, FormaPreenchimento, Operador, Term } from '../words/model.ts';

export interface PreparedCondition {
  readonly terms: readonly Term[];
  readonly compare: Comparison;
  /** Portuguese text for messages: `ATT_1 (Forma) igual a "01" (Sólido)`. */
  readonly words: string;
}

/** Returns a negative number, 0 or a positive number; `undefined` when the two cannot be compared. */
type Comparison = (value: string, expected: string) => number | undefined;

/** Cache by condition: a condition has one parent attribute, whose description is the same for every NCM. */
const preparedConditions = new WeakMap<Condition, PreparedCondition>();

export function prepareCondition(condition: Condition, parent: AttributeDetail): PreparedCondition {
  const cachedCondition = preparedConditions.get(condition);
  if (cachedCondition !== undefined) return cachedCondition;
  const prepared = preparedOf(condition, parent);
  preparedConditions.set(condition, prepared);
  return prepared;
}

function preparedOf(condition: Condition, parent: AttributeDetail): PreparedCondition {
  const terms: Term[] = [];
  for (let term: Condition | undefined = condition; term !== undefined; term = term.condicao)
    terms.push({
      operador: term.operador,
      valor: term.valor,
      composicao: term.condicao === undefined ? undefined : term.composicao,
    });
  return { terms, compare: comparisonOf(parent.formaPreenchimento), words: conditionWords(terms, parent) };
}

/** Returns true if the value satisfies the whole condition. */
export function isSatisfied({ terms, compare }: PreparedCondition, value: string): boolean {
  let right = false;
  for (let index = terms.length - 1; index >= 0; index -= 1) {
    const term = terms[index];
    if (term === undefined) continue;
    const holds = termHolds(term.operador, compare(value, term.valor));
    if (term.composicao === undefined) right = holds;
    else right = term.composicao === '||' ? holds || right : holds && right;
  }
  return right;
}

/** Returns true if the operator holds. Two values that cannot be compared satisfy only `!=`. */
function termHolds(operador: Operador, comparison: number | undefined): boolean {
  if (comparison === undefined) return operador === '!=';
  switch (operador) {
    case '==':
      return comparison === 0;
    case '!=':
      return comparison !== 0;
    case '>':
      return comparison > 0;
    case '>=':
      return comparison >= 0;
    case '<':
      return comparison < 0;
    case '<=':
      return comparison <= 0;
  }
}

function comparisonOf(forma: FormaPreenchimento): Comparison {
  switch (forma) {
    case 'NUMERO_INTEIRO':
    case 'NUMERO_REAL':
      return compareDecimals;
    case 'DATA':
    case 'DATA_HORA':
      return (value, expected) => compareTexts(atMidnight(value), atMidnight(expected));
    default:
      return compareCodes;
  }
}

const compareTexts = (left: string, right: string): number => (left === right ? 0 : left < right ? -1 : 1);

const DAY_CHARACTERS = 10;

/** A day counts as its first second, so that days and moments compare. */
const atMidnight = (text: string): string => (text.length === DAY_CHARACTERS ? `${text}T00:00:00` : text);

/**
 * Codes and texts are equal only as written ("1" is not "01"); numbers are ordered by their numeric value.
 */
function compareCodes(value: string, expected: string): number {
  if (value === expected) return 0;
  const comparison = compareDecimals(value, expected);
  return comparison === undefined || comparison === 0 ? compareTexts(value, expected) : comparison;
}

const OPERATOR_WORDS: Readonly<Record<Operador, string>> = {
  '==': 'igual a',
  '!=': 'diferente de',
  '>': 'maior que',
  '>=': 'maior ou igual a',
  '<': 'menor que',
  '<=': 'menor ou igual a',
};

/** Maximum number of terms in a message; longer conditions are cut, with a count. */
const TERMS_MAX = 10;

function conditionWords(terms: readonly Term[], parent: AttributeDetail): string {
  const listedTerms = terms.slice(0, TERMS_MAX);
  let words = '';
  let openBrackets = 0;
  listedTerms.forEach(({ operador, valor, composicao }, index) => {
    words += `${OPERATOR_WORDS[operador]} "${valor}"${meaningOf(valor, parent)}`;
    if (composicao === undefined || index === listedTerms.length - 1) return;
    words += composicao === '||' ? ' ou ' : ' e ';
    // Conditions are right-nested: where `&&` and `||` alternate, a bracket opens around all later terms.
    const next = listedTerms[index + 1]?.composicao;
    if (next === undefined || next === composicao) return;
    words += '(';
    openBrackets += 1;
  });
  const rest = terms.length - listedTerms.length;
  const more = rest > 0 ? ` … (e mais ${rest} termos)` : '';
  return `${parent.codigo} (${parent.nomeApresentacao}) ${words}${more}${')'.repeat(openBrackets)}`;
}

function meaningOf(valor: string, parent: AttributeDetail): string {
  const item = parent.dominio.find(({ codigo }) => codigo === valor);
  return item === undefined || item.descricao === '' ? '' : ` (${item.descricao})`;
}
