/** Which methods an address has: asked where a request found no operation, or one of an address that is not meant. */
import { pathnameOf } from './address.ts';
import type { Operation, RawParams } from './operation.ts';

type Route = Pick<Operation<never>, 'path' | 'everyAnswer'> & { readonly method: string };

interface Pattern extends Route {
  readonly segments: readonly string[];
  /** Fixed segments come before parameters in the order of these: the first pattern of an address is the one meant. */
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

  /** What the operations of the path say with every answer, also when none of them was asked for. */
  everyAnswer(pathname: string): Readonly<Record<string, string>> {
    return Object.assign(
      {},
      ...this.#at(pathname).map(({ everyAnswer }) => everyAnswer),
    ) as Route['everyAnswer'];
  }

  /**
   * Tells for one path which of its addresses are another's, whatever the method: `…/produto/desativar/12345678/1` is no
   * version of a product of the company `desativar`. `undefined` where there can be none.
   */
  notMeantBy(path: string): ((url: string, params: RawParams) => boolean) | undefined {
    const { segments, shape } = patternOf(path);
    if (!shape.includes('p')) return undefined;
    let narrower: readonly Pattern[] | undefined;
    let words: ReadonlySet<string | null>;
    return (url, params) => {
      if (narrower === undefined) {
        narrower = this.#all().filter((other) => other.shape < shape && matches(segments, other.segments));
        words = new Set(
          narrower.flatMap((other) => other.segments.filter((step) => !segments.includes(step))),
        );
      }
      // Hardly ever does a parameter say what is a fixed word elsewhere: this is asked with each request.
      if (!Object.values(params).some((value) => words.has(value))) return false;
      const asked = segmentsOf(pathnameOf(url));
      return narrower.some((other) => matches(other.segments, asked));
    };
  }

  /** Made with the first question: each path compared with every other would take a start's time. */
  #all(): readonly Pattern[] {
    return (this.#patterns ??= this.#routes.map(({ method, path, everyAnswer }) => ({
      method,
      path,
      everyAnswer,
      ...patternOf(path),
    })));
  }

  /** Those of the narrowest path that the address has. */
  #at(pathname: string): readonly Pattern[] {
    const asked = segmentsOf(pathname);
    const found = this.#all().filter(({ segments }) => matches(segments, asked));
    const [narrowest] = found.map(({ shape }) => shape).sort();
    return found.filter(({ shape }) => shape === narrowest);
  }
}

/** What answers a GET answers a HEAD. Each once, in order. */
export const withHead = (methods: readonly string[]): string[] =>
  [...new Set(methods.flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : method)))].sort();

const isParameter = (segment: string): boolean => segment.startsWith(':');

function patternOf(path: string): Pick<Pattern, 'segments' | 'shape'> {
  const segments = path.split('/');
  return { segments, shape: segments.map((segment) => (isParameter(segment) ? 'p' : 'f')).join('') };
}

/** A slash at the end says nothing, as in the routes themselves. */
const segmentsOf = (pathname: string): readonly string[] => pathname.replace(/(?<=.)\/$/, '').split('/');

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((step, index) =>
    isParameter(step) ? segments[index] !== '' : step === segments[index],
  );
}
