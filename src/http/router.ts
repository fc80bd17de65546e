/** Mounts operations on Elysia, and answers what reaches none of them: 404, 405, CORS preflight. */
import { Elysia } from 'elysia';
import { DomainError, notFound, shown } from '../errors.ts';
import { addressed, pathnameOf } from './address.ts';
import type { Attend } from './attendance.ts';
import type { Cors } from './cors.ts';
import { refuseLongHeaders } from './header-limit.ts';
import { refuseOverload } from './in-flight.ts';
import type { Operation, RawParams } from './operation.ts';
import type { Pipeline } from './pipeline.ts';

/** A page or file that is served as it is. */
export type StaticAnswer = (request: Request) => Response | Promise<Response>;

export interface RouterParts<Caller> {
  readonly operations: readonly Operation<Caller>[];
  readonly pages: ReadonlyMap<string, StaticAnswer>;
  /** What a browser is shown at an address that nothing answers; `undefined` for any other client. */
  readonly missingPage?: (request: Request) => Promise<Response> | undefined;
  readonly pipeline: Pipeline<Caller>;
  readonly cors: Cors;
  readonly stopwatch: () => number;
  /** The most requests that may be under way. */
  readonly simultaneous: number;
  /** What a development instance does around each request that is no page. */
  readonly attend?: Attend<Caller> | undefined;
}

/** The server as a function of the request; `inFlight`: how many are under way, this one included. */
export type Fetch = (request: Request, inFlight?: number) => Response | Promise<Response>;

export function createRouter<Caller>(parts: RouterParts<Caller>): Fetch {
  const { operations, pages, missingPage, pipeline, cors, stopwatch, simultaneous, attend } = parts;
  const methods = new PathMethods([
    ...operations.filter(({ retired }) => !retired),
    ...[...pages.keys()].map((path) => ({ method: 'GET', path, everyAnswer: {} })),
  ]);
  // The first hook of all, so that it reaches every path and method.
  // Elysia looks for the path after character 11 unless told that a host may be as short as `erp`; then after character 7,
  // which is right for http:// alone: what it gets is `addressed`.
  const app = new Elysia({ handler: { standardHostname: false } }).onRequest(({ request }) =>
    request.method === 'OPTIONS' ? cors.preflight(request, methods.of(pathnameOf(request.url))) : undefined,
  );
  app.onError(({ code, error, request }) => {
    const isMissing = code === 'NOT_FOUND' && methods.of(pathnameOf(request.url)).length === 0;
    const page = isMissing && request.method === 'GET' ? missingPage?.(request) : undefined;
    if (page !== undefined) return page;
    const refuse = () =>
      pipeline.refuse(
        'none',
        code === 'NOT_FOUND' ? noSuchOperation(request, methods) : error,
        request,
        stopwatch(),
      );
    return attend === undefined ? refuse() : attend({ request, operation: undefined, params: {} }, refuse);
  });
  const answer = (operation: Operation<Caller>, request: Request, params: RawParams) =>
    operation.retired
      ? pipeline.refuse(operation.id, retired(), request, stopwatch())
      : pipeline.run(operation, request, params);
  for (const operation of operations)
    app.route(operation.method, operation.path, ({ request, params: given }) => {
      const params = (given ?? {}) as RawParams; // a path without any has none
      const run = () => answer(operation, request, params);
      return attend === undefined ? run() : attend({ request, operation, params }, run);
    });
  for (const [path, page] of pages) app.get(path, ({ request }) => page(request));
  const { fetch } = app; // composed once
  return (request, inFlight = 1) => {
    try {
      refuseOverload(request, inFlight, simultaneous);
      refuseLongHeaders(request);
    } catch (error) {
      return pipeline.refuse('none', error, addressed(request), stopwatch());
    }
    return fetch(addressed(request));
  };
}

/** No token is needed to learn of it. */
const retired = (): DomainError =>
  notFound('A operação em lote foi descontinuada nesta instalação; use as operações por registro em /docs.');

function noSuchOperation(request: Request, methods: PathMethods): DomainError {
  const pathname = pathnameOf(request.url);
  const allowed = methods.of(pathname);
  if (allowed.length === 0)
    return notFound(`Não existe o caminho ${shown(pathname)}. Os caminhos estão em /docs.`);
  const allow = allowed.join(', ');
  return new DomainError(
    'methodNotAllowed',
    `Método ${request.method} não aceito neste caminho; aceita ${allow}.`,
    { headers: { Allow: allow, ...methods.everyAnswer(pathname) } },
  );
}

type Route = Pick<Operation<never>, 'path' | 'everyAnswer'> & { readonly method: string };

/** Which methods a path has; only asked for when a request found no operation. */
class PathMethods {
  readonly #routes: readonly (Route & { readonly segments: readonly string[] })[];

  constructor(routes: readonly Route[]) {
    this.#routes = routes.map(({ method, path, everyAnswer }) => ({
      ...{ method, path, everyAnswer },
      segments: path.split('/'),
    }));
  }

  of(pathname: string): string[] {
    return [...new Set(this.#at(pathname).map(({ method }) => method))].sort();
  }

  /** What the operations of the path say with every answer, also when none of them was asked for. */
  everyAnswer(pathname: string): Readonly<Record<string, string>> {
    return Object.assign(
      {},
      ...this.#at(pathname).map(({ everyAnswer }) => everyAnswer),
    ) as Route['everyAnswer'];
  }

  #at(pathname: string) {
    const segments = pathname.split('/');
    return this.#routes.filter((route) => matches(route.segments, segments));
  }
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((step, index) =>
    step.startsWith(':') ? segments[index] !== '' : step === segments[index],
  );
}
