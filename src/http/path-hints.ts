/** Suggests a path when no operation has the requested path of the public interface (contract section 3). */
import { distance } from 'fastest-levenshtein';
import { asSchema } from '../validation/schema.ts';
import { decodePath } from '../validation/parameters.ts';
import { pathnameOf } from './address.ts';
import type { Operation, RawParams } from './operation.ts';

type Route = Pick<Operation<never>, 'method' | 'path' | 'params'>;

const PUBLIC = /^\/(?:catp|portal|cadatributos)(?:\/|$)/;
const LEGAL_GROUNDS = /^\/cadatributos\/(?:.*\/)?fundamentos?(?:[-/]|$)/;
/** Modules that neighbouring systems from files simulate (contract section 22). */
const OTHER_MODULES = /^\/(?:duimp-api|talpco|tabx|ccta|cct|due|recintos-ext|ccti)(?:\/|$)/;
/** Maximum number of letters that a typing error changes. */
const TYPO_MAX_LETTERS = 2;
/** Maximum length of a path that is compared: a longer path is no typing error. */
const MAX_SEGMENTS = 20;
const MAX_CHARACTERS = 200;

/** Cost of another method, added to the cost of the segments. */
const OTHER_METHOD = 0.25;
/** Cost of a value that its parameter does not accept. */
const WRONG_VALUE = 0.5;
/**
 * Cost of a missing segment (`/ext`). It is likelier than an extra segment, and both are likelier than a
 * different segment, which costs up to 1.
 */
const MISSING_SEGMENT = 0.6;
const FURTHER_SEGMENT = 0.8;

export class PathHints {
  readonly #routes: readonly Route[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.filter(({ path }) => PUBLIC.test(path));
  }

  /** Returns the hint for an unknown path, as a sentence with a leading blank. '': no hint. */
  ofUnknown(method: string, pathname: string): string {
    if (LEGAL_GROUNDS.test(pathname))
      return ' Os fundamentos legais da interface pública de atributos não existem nesta instalação; consulte-os no Portal Único.';
    if (OTHER_MODULES.test(pathname))
      return ' Este caminho é de outro módulo do serviço público: catp dev --stubs PASTA o responde com os arquivos da pasta, e catp stubs --to PASTA traz exemplos.';
    const segments = segmentsToMatch(pathname);
    if (segments === undefined) return '';
    const longer = this.#longerThan(segments, method) ?? this.#longerThan(segments);
    if (longer !== undefined) return ` ${missingText(longer, segments)}`;
    const nearest = this.#nearest(segments, method);
    return nearest === undefined ? '' : ` Você quis dizer ${nameOf(nearest)}?`;
  }

  /** Returns the hint for a path that lacks this method. '': no similar path has it. */
  ofMethod(method: string, pathname: string): string {
    const segments = segmentsToMatch(pathname);
    if (segments === undefined) return '';
    const longer = this.#longerThan(segments, method);
    if (longer !== undefined) return ` ${missingText(longer, segments)}`;
    const misspelt = this.#misspelt(segments, method);
    return misspelt === undefined ? '' : ` Você quis dizer ${nameOf(misspelt)}?`;
  }

  /**
   * Returns a test for requests of this path that were meant for another path, of which they lack the last
   * segments or misspell a word: in `PUT …/produto/desativar/12345678`, `desativar` is no company, and in
   * `…/produto/desativa/12345678/1`, `desativa` is none. `undefined`: the path has no parameter.
   */
  strayOf({ method, path }: Route): ((url: string, params: RawParams) => boolean) | undefined {
    if (!path.includes('/:')) return undefined;
    let words: readonly ParameterWords[] | undefined;
    return (url, params) => {
      // Built at the first use: comparing all paths with each other would slow the start down.
      words ??= this.#wordsOf(method, path);
      // A parameter rarely resembles a fixed word of another path.
      if (!words.some(([name, others]) => isLike(params[name] ?? '', others))) return false;
      const segments = segmentsOf(pathnameOf(url));
      return (this.#longerThan(segments, method) ?? this.#misspelt(segments, method)) !== undefined;
    };
  }

  /** Returns the fixed words that other paths have in place of each parameter. */
  #wordsOf(method: string, path: string): readonly ParameterWords[] {
    const steps = segmentsOf(path);
    const others = this.#routes
      .filter((route) => route.method === method)
      .map((route) => segmentsOf(route.path))
      .filter((segments) => hasWordForParameter(segments, steps));
    if (others.length === 0) return [];
    return [...steps.entries()]
      .filter(([, step]) => isParameter(step))
      .map(([place, step]) => [step.slice(1), new Set(others.map((segments) => segments[place] ?? ''))]);
  }

  /** Returns the path that differs only by typing errors in its fixed words. */
  #misspelt(segments: readonly string[], method: string): Route | undefined {
    return this.#routes.find((route) => {
      const steps = segmentsOf(route.path);
      if (route.method !== method || steps.length !== segments.length) return false;
      return steps.every((step, index) => {
        const value = segments[index] ?? '';
        return isParameter(step) ? costOf(route, step, value) === 0 : isTypo(value, step);
      });
    });
  }

  /** Returns the shortest path of which only the last segments are missing. */
  #longerThan(segments: readonly string[], method?: string): Route | undefined {
    const fitting = this.#routes.filter((route) => {
      const steps = segmentsOf(route.path);
      if (steps.length <= segments.length || (method !== undefined && route.method !== method)) return false;
      return segments.every((value, index) => costOf(route, steps[index] ?? '', value) === 0);
    });
    const [shortest] = fitting.toSorted(
      (a, b) =>
        fixedIn(b, 0, segments.length) - fixedIn(a, 0, segments.length) ||
        fixedIn(a, segments.length) - fixedIn(b, segments.length) ||
        lengthOf(a) - lengthOf(b),
    );
    return shortest;
  }

  #nearest(segments: readonly string[], method: string): Route | undefined {
    let best: Route | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const route of this.#routes) {
      const cost = editCost(route, segments) + (route.method === method ? 0 : OTHER_METHOD);
      if (cost < least) [best, least] = [route, cost];
    }
    return best;
  }
}

/** The fixed words of other paths in the place of a parameter. */
type ParameterWords = readonly [name: string, words: ReadonlySet<string>];

const isParameter = (step: string): boolean => step.startsWith(':');
const segmentsOf = (path: string): string[] => path.split('/').filter((step) => step !== '');
/** Returns true when a path is as long as another, or longer, and has a fixed word for one of its parameters. */
const hasWordForParameter = (other: readonly string[], steps: readonly string[]): boolean =>
  other.length >= steps.length &&
  steps.every((step, index) => isParameter(step) || step === other[index]) &&
  steps.some((step, index) => isParameter(step) && !isParameter(other[index] ?? step));
/** Returns true for a word, and for a text that differs from it by at most two letters. */
const isTypo = (text: string, word: string): boolean =>
  text === word ||
  (word.length > 2 * TYPO_MAX_LETTERS &&
    Math.abs(text.length - word.length) <= TYPO_MAX_LETTERS &&
    distance(text, word) <= TYPO_MAX_LETTERS);
/** Returns true for a text that a person may have typed for one of the words. Numbers are excluded first. */
const isLike = (text: string, words: ReadonlySet<string>): boolean =>
  !/^\d/.test(text) && [...words].some((word) => isTypo(text, word));
const lengthOf = ({ path }: Route): number => segmentsOf(path).length;
/** Returns the number of fixed segments in that part of a path. */
const fixedIn = ({ path }: Route, from: number, to?: number): number =>
  segmentsOf(path)
    .slice(from, to)
    .filter((step) => !isParameter(step)).length;

function segmentsToMatch(pathname: string): string[] | undefined {
  if (!PUBLIC.test(pathname) || pathname.length > MAX_CHARACTERS) return undefined;
  const segments = segmentsOf(pathname);
  return segments.length > MAX_SEGMENTS ? undefined : segments;
}

const printed = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');
const nameOf = ({ method, path }: Route): string => `${method} ${printed(path)}`;

function missingText(route: Route, segments: readonly string[]): string {
  const missing = segmentsOf(printed(route.path)).slice(segments.length);
  return `${missing.length === 1 ? 'Falta' : 'Faltam'} ${missing.join('/')} no fim: ${nameOf(route)}.`;
}

/** Returns the cost of one segment: from 0 for an equal one to 1. */
function costOf({ params }: Route, step: string, value: string): number {
  if (!isParameter(step)) {
    const [a, b] = [step.toLowerCase(), value.toLowerCase()];
    return a === b && step !== value ? WRONG_VALUE : distance(a, b) / Math.max(a.length, b.length, 1);
  }
  const name = step.slice(1);
  const member = params === undefined ? undefined : asSchema(params).properties?.[name];
  if (member === undefined) return 0;
  const problems: never[] = [];
  decodePath({ properties: { [name]: member } }, { [name]: value }, problems);
  return problems.length === 0 ? 0 : WRONG_VALUE;
}

/** Returns the least cost of missing, additional and changed segments. */
function editCost(route: Route, segments: readonly string[]): number {
  const steps = segmentsOf(route.path);
  let row = Array.from({ length: segments.length + 1 }, (_, index) => index * FURTHER_SEGMENT);
  for (const [index, step] of steps.entries()) {
    const next = [(index + 1) * MISSING_SEGMENT];
    for (const [place, value] of segments.entries())
      next.push(
        Math.min(
          (next[place] ?? 0) + FURTHER_SEGMENT,
          (row[place + 1] ?? 0) + MISSING_SEGMENT,
          (row[place] ?? 0) + costOf(route, step, value),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
