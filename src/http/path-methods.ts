/** Lists the methods of an address, for a request that reached no operation or the wrong one. */
import { pathnameOf } from './address.ts';
import type { Operation, RawParams } from './operation.ts';

type Route = Pick<Operation<never>, 'path' | 'everyAnswer'> & { readonly method: string };

interface Pattern extends Route {
  readonly segments: readonly string[];
  /** Sorts fixed segments before parameters: the first pattern that matches an address wins. */
  readonly shape: string;
}

export class PathMethods {
  readonly #routes: readonly Route[];
  #patterns: readonly Pattern[] | undefined;

  constructor(routes: readonly Route[]) {
    this.#routes = routes;
  }

  of(pathname: string): string[] {
    return withHead(this.#at(pathname).map(({ method }) => method));
  }

  /** Returns the headers that all operations of the path send, also when no operation was reached. */
  everyAnswer(pathname: string): Readonly<Record<string, string>> {
    return Object.assign(
      {},
      ...this.#at(pathname).map(({ everyAnswer }) => everyAnswer),
    ) as Route['everyAnswer'];
  }

  /**
   * Returns a test for addresses of one path that belong to another path, whatever the method:
   * `…/produto/desativar/12345678/1` is no version of a product of the company `desativar`. `undefined`: no
   * such address exists.
   */
  notMeantBy(path: string): ((url: string, params: RawParams) => boolean) | undefined {
    if (!path.includes('/:')) return undefined;
    let narrower: readonly Pattern[] | undefined;
    let words: ReadonlySet<string | null>;
    return (url, params) => {
      if (narrower === undefined) {
        const { segments, shape } = patternOf(path);
        narrower = this.#all().filter((other) => other.shape < shape && matches(segments, other.segments));
        words = new Set(
          narrower.flatMap((other) => other.segments.filter((step) => !segments.includes(step))),
        );
      }
      // A parameter rarely equals a fixed word of another path.
      if (!Object.values(params).some((value) => words.has(value))) return false;
      const urlSegments = segmentsOf(pathnameOf(url));
      return narrower.some((other) => matches(other.segments, urlSegments));
    };
  }

  /** Built at the first use: comparing all paths with each other would slow the start down. */
  #all(): readonly Pattern[] {
    return (this.#patterns ??= this.#routes.map(({ method, path, everyAnswer }) => ({
      method,
      path,
      everyAnswer,
      ...patternOf(path),
    })));
  }

  /** Returns the patterns of the most specific path that matches the address. */
  #at(pathname: string): readonly Pattern[] {
    const requestSegments = segmentsOf(pathname);
    const shapes = this.#all().filter(({ segments }) => matches(segments, requestSegments));
    const [narrowest] = shapes.map(({ shape }) => shape).sort();
    return shapes.filter(({ shape }) => shape === narrowest);
  }
}

/** Adds HEAD when GET is present. Returns each method once, in order. */
export const withHead = (methods: readonly string[]): string[] =>
  [...new Set(methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : method)))].sort();

const isParameter = (segment: string): boolean => segment.startsWith(':');

function patternOf(path: string): Pick<Pattern, 'segments' | 'shape'> {
  const segments = path.split('/');
  return { segments, shape: segments.map((segment) => (isParameter(segment) ? 'p' : 'f')).join('') };
}

/** Ignores a trailing slash, as the routes do. */
const segmentsOf = (pathname: string): readonly string[] => pathname.replace(/(?<=.)\/$/, '').split('/');

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((step, index) =>
    isParameter(step) ? segments[index] !== '' : step === segments[index],
  );
}
