/** Routes requests to operations and pages, and answers all others: 404, 405, CORS preflight. */
import type { Elysia } from 'elysia';
import { Memoirist } from 'memoirist';
import { DomainError, notFound } from '../errors.ts';
import { formatValue } from '../validation/format-value.ts';
import { addressed, pathnameOf, printablePathOf } from './address.ts';
import type { RequestHook } from './request-hook.ts';
import { type Reception, receive } from './body.ts';
import type { Cors } from './cors.ts';
import { refuseLongHeaders } from './header-limit.ts';
import { refuseUnknownHost, refuseTwoHosts } from './host-names.ts';
import { refuseOverload } from './in-flight.ts';
import type { Operation, RawParams } from './operation.ts';
import { PathHints } from './path-hints.ts';
import { PathMethods, withHead } from './path-methods.ts';
import { refusePlainHttp } from './plain-http.ts';
import type { Pipeline } from './pipeline.ts';
import { loadOnce } from '../system/load-once.ts';

/** Serves a page or file without the pipeline. */
export type StaticAnswer = (request: Request) => Response | Promise<Response>;

export interface RouterParts<Caller> {
  readonly operations: readonly Operation<Caller>[];
  /**
   * Loads all operations, those above included, for the first request that no route answers. `undefined`: the
   * router has all of them.
   */
  readonly allOperations?: (() => Promise<readonly Operation<Caller>[]>) | undefined;
  readonly pages: ReadonlyMap<string, StaticAnswer>;
  /** The page that a browser gets at an unknown address. `undefined`: the client is no browser. */
  readonly missingPage?: (request: Request) => Promise<Response> | undefined;
  readonly pipeline: Pipeline<Caller>;
  readonly cors: Cors;
  /** Adds the headers of every answer to one that the pipeline did not make. Default: adds none. */
  readonly complete?: (request: Request, answer: Response) => Response;
  readonly stopwatch: () => number;
  /** Names of a development instance on the loopback. `undefined`: any name is accepted. */
  readonly names?: readonly string[] | undefined;
  /** Returns true for plain HTTP on the HTTPS port. */
  readonly isPlainOnTlsPort?: (request: Request) => boolean;
  /** Number of requests under way that only wait for their refusal. */
  readonly waiting?: () => number;
  /** The most requests that may be under way. */
  readonly simultaneous: number;
  /** The limits for the reception of bodies. `undefined`: those of any server. */
  readonly reception?: Reception;
  /** The hooks of a development instance around each request that is no page. */
  readonly hook?: RequestHook<Caller> | undefined;
  readonly neighbours?: Neighbours<Caller> | undefined;
}

/**
 * Returns the operations of a development instance for a path that the product does not have (contract
 * section 22). The first one with the method wins. Called once per request: it reads the disk.
 */
export type Neighbours<Caller> = (pathname: string) => readonly Operation<Caller>[];

/** The server as a function of the request. `inFlight`: number of requests under way, this one included. */
export type Fetch = (request: Request, inFlight?: number) => Response | Promise<Response>;

export function createRouter<Caller>(parts: RouterParts<Caller>): Fetch {
  const { pipeline, stopwatch, simultaneous, names, waiting, reception, isPlainOnTlsPort, allOperations } =
    parts;
  const complete = allOperations && loadOnce(async () => routesOf(parts, await allOperations()));
  const answerLate =
    complete &&
    (async (request: Request): Promise<Response> => {
      try {
        routes = await complete();
      } catch (error) {
        return routes.refuse(request, error);
      }
      return routes.answer(request);
    });
  let routes = routesOf(parts, parts.operations, answerLate);
  return (request, inFlight = 1) => {
    try {
      if (inFlight > simultaneous) refuseOverload(request, inFlight - (waiting?.() ?? 0), simultaneous);
      if (isPlainOnTlsPort?.(request) === true) refusePlainHttp(request);
      refuseTwoHosts(request);
      if (names !== undefined) refuseUnknownHost(addressed(request), names);
      refuseLongHeaders(request);
    } catch (error) {
      return pipeline.refuse('none', error, addressed(request), stopwatch());
    }
    if (reception !== undefined && request.method !== 'GET') receive(request, reception);
    try {
      return routes.answer(addressed(request));
    } catch (error) {
      return routes.refuse(request, error); // the folder of neighbouring systems cannot be read
    }
  };
}

/** The routes of a list of operations and of the pages. */
interface Routes {
  readonly answer: (request: Request) => Response | Promise<Response>;
  /** Answers a request that no operation takes. */
  readonly refuse: (request: Request, error: unknown) => Response | Promise<Response>;
}

/** Builds routes. `answerLate`: answers requests without a route. `undefined`: they are refused. */
function routesOf<Caller>(
  parts: RouterParts<Caller>,
  operations: readonly Operation<Caller>[],
  answerLate?: (request: Request) => Promise<Response>,
): Routes {
  const { pages, missingPage, pipeline, cors, stopwatch, hook, neighbours } = parts;
  const complete = parts.complete ?? ((_: Request, answer: Response) => answer);
  const methods = new PathMethods([
    ...operations.filter(({ retired }) => !retired),
    ...[...pages.keys()].map((path) => ({ method: 'GET', path, everyAnswer: {} })),
  ]);
  const hints = new PathHints(operations.filter(({ retired }) => !retired));
  // Elysia's router alone: the pipeline does all other work of Elysia, whose modules would be a tenth of a
  // start.
  const routes: Elysia['router']['dynamic'] = new Memoirist({ onParam: decodedOrNull });
  const route = (method: string, path: string, handle: Route): unknown =>
    routes.add(method, path, { handle } as unknown as ElysiaRoute);
  const missing = (request: Request, error: unknown) => {
    const refuse = () => pipeline.refuseUnrouted(error, request, stopwatch());
    return hook === undefined ? refuse() : hook({ request, operation: undefined, params: {} }, refuse);
  };
  const neighboursAt = (pathname: string): readonly Operation<Caller>[] =>
    neighbours === undefined || methods.of(pathname).length > 0 ? [] : neighbours(pathname);
  const methodsAt = (pathname: string, near: readonly Operation<Caller>[]): readonly string[] =>
    near.length > 0 ? withHead(near.map(({ method }) => method)) : methods.of(pathname);
  const noSuch = (request: Request, near: readonly Operation<Caller>[]) => {
    const pathname = pathnameOf(request.url);
    const everyAnswer = near[0]?.everyAnswer ?? methods.everyAnswer(pathname);
    return noSuchOperation(request, methodsAt(pathname, near), everyAnswer, hints);
  };
  const answer = (operation: Operation<Caller>, request: Request, params: RawParams) => {
    const run = () =>
      operation.retired
        ? pipeline.refuseUnrouted(retired(), request, stopwatch(), operation.id)
        : pipeline.run(operation, request, params);
    return hook === undefined ? run() : hook({ request, operation, params }, run);
  };
  const unrouted = (request: Request, near = neighboursAt(pathnameOf(request.url))) => {
    const wanted = request.method === 'HEAD' ? 'GET' : request.method;
    const neighbour = near.find(({ method }) => method === wanted);
    if (neighbour !== undefined) {
      const answered = answer(neighbour, request, {});
      return request.method === 'HEAD' ? headOf(answered) : answered;
    }
    const isMissing = methodsAt(pathnameOf(request.url), near).length === 0;
    const page = isMissing && request.method === 'GET' ? missingPage?.(request) : undefined;
    return page?.then((answered) => complete(request, answered)) ?? missing(request, noSuch(request, near));
  };
  for (const operation of operations) {
    const isNotMeant = methods.notMeantBy(operation.path);
    const isStray = hints.strayOf(operation);
    route(operation.method, operation.path, (request, params) => {
      if (mayHaveWord(params)) {
        if (isNotMeant?.(request.url, params)) return missing(request, noSuch(request, []));
        if (isStray?.(request.url, params) === true) return missing(request, unknownPath(request, hints));
      }
      return answer(operation, request, params);
    });
  }
  for (const [path, page] of pages)
    route('GET', path, async (request) => {
      try {
        return complete(request, await page(request));
      } catch (error) {
        return missing(request, error);
      }
    });
  const routed = (request: Request): Response | Promise<Response> => {
    const { method } = request;
    const path = withoutSlash(pathnameOf(request.url));
    if (method === 'OPTIONS') {
      if (answerLate !== undefined) return answerLate(request);
      const near = neighboursAt(path);
      const preflight = cors.preflight(request, methodsAt(path, near));
      return preflight === undefined ? unrouted(request, near) : complete(request, preflight);
    }
    const route = routes.find(method, path) ?? (method === 'HEAD' ? routes.find('GET', path) : null);
    if (route === null) return answerLate === undefined ? unrouted(request) : answerLate(request);
    const answered = (route.store.handle as Route)(request, route.params);
    return method === 'HEAD' ? headOf(answered) : answered;
  };
  return { answer: routed, refuse: missing };
}

type ElysiaRoute = Parameters<Elysia['router']['dynamic']['add']>[2];

/** Decodes a parameter as Elysia does: `null` for a broken percent-encoding. */
function decodedOrNull(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Returns true when a parameter may be a fixed word of another path, none of which begins with a digit. */
function mayHaveWord(params: RawParams): boolean {
  for (const name in params) if (!beginsWithDigit(params[name] ?? '')) return true;
  return false;
}

const beginsWithDigit = (text: string): boolean => text >= '0' && text < ':';

/** Removes a trailing slash, which has no meaning. */
const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

type Route = (request: Request, params: RawParams) => Response | Promise<Response>;

/** Returns the answer to a GET without its body, but with the length of the body. */
async function headOf(answer: Response | Promise<Response>): Promise<Response> {
  const { status, headers, body } = await answer;
  let length = 0;
  for await (const bytes of body ?? []) length += bytes.length;
  headers.set('Content-Length', String(length));
  return new Response(null, { status, headers });
}

/** Returns the 404 of a retired operation, with or without a token. */
const retired = (): DomainError =>
  notFound('A operação em lote foi descontinuada nesta instalação; use as operações por registro em /docs.');

function unknownPath(request: Request, hints: PathHints): DomainError {
  const pathname = printablePathOf(request.url);
  const hint = hints.ofUnknown(request.method, pathname);
  return notFound(`Não existe o caminho ${formatValue(pathname)}.${hint} Os caminhos estão em /docs.`);
}

function noSuchOperation(
  request: Request,
  allowed: readonly string[],
  everyAnswer: Readonly<Record<string, string>>,
  hints: PathHints,
): DomainError {
  if (allowed.length === 0) return unknownPath(request, hints);
  const { method } = request;
  const allow = allowed.join(', ');
  return new DomainError(
    'methodNotAllowed',
    `Método ${method} não aceito neste caminho; aceita ${allow}.${hints.ofMethod(method, printablePathOf(request.url))}`,
    { headers: { Allow: allow, ...everyAnswer } },
  );
}
