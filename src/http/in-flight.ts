/** How many requests are under way, and the most that may be (setting `servidor.simultaneas`, contract section 16). */
import { pathnameOf } from './address.ts';
import { notNow } from './holdings.ts';

/** A server of the runtime counts by itself: a request is under way until all of its answer has been sent. */
interface Counting {
  readonly pendingRequests: number;
}

/** The requests under way on all listeners of a process. */
export class InFlight {
  readonly #servers = new Set<Counting>();

  add(server: Counting): void {
    this.#servers.add(server);
  }

  remove(server: Counting): void {
    this.#servers.delete(server);
  }

  get count(): number {
    let count = 0;
    for (const { pendingRequests } of this.#servers) count += pendingRequests;
    return count;
  }
}

/** Whoever watches over the server learns how it is also when it has too much to do. */
const EXEMPT: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Throws 503 when there are more than `most`, this one included. */
export function refuseOverload(request: Request, inFlight: number, most: number): void {
  if (inFlight <= most || EXEMPT.has(pathnameOf(request.url))) return;
  throw notNow(
    `Há mais de ${most} requisições em andamento, o máximo desta instância (servidor.simultaneas); nada desta foi feito.`,
  );
}
