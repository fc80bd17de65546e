/** Counts the requests under way and limits them (setting `servidor.simultaneas`, contract section 16). */
import { pathnameOf } from './address.ts';
import { notNow } from './holdings.ts';

/** The counter of a runtime server: a request is under way until its whole answer has been sent. */
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

/** Monitoring gets an answer also under overload. */
const EXEMPT: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** Throws 503 when more than `most` requests are under way, this one included. */
export function refuseOverload(request: Request, inFlight: number, most: number): void {
  if (inFlight <= most || EXEMPT.has(pathnameOf(request.url))) return;
  throw notNow(
    `Há mais de ${most} requisições em andamento, o máximo desta instância (servidor.simultaneas); nada desta foi feito.`,
  );
}
