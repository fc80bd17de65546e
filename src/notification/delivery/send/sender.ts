import type { checkServerIdentity as checkIdentity, SecureContext } from 'node:tls';
import { REAL_TIME, type RealTime } from '../../../clock.ts';
import { nodeTls } from '../../../system/builtin.ts';
import { lruCache } from '../../../system/lru-cache.ts';
import type { AddressPolicy } from './address-policy.ts';
import { type Connection, type Dial, connect } from './connection.ts';
import { CONNECTION_IDLE_MS, Connections, tlsContextWith } from './connections.ts';
import { Deadline } from './deadline.ts';
import { conclude, type End, failed } from './conclusion.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type Judge, judgeUnder } from './judge.ts';
import { bytesOf } from './message.ts';
import type { Outcome, Phase } from './outcome.ts';
import { everyAddress, type Lookup } from './resolver.ts';
import { type Destination, destinationOf, findRoute } from './route.ts';
import { type Target, TargetMap } from './target-map.ts';
import type { Withdrawal } from './withdrawal.ts';

/** The specification's limit for a receiver's processing (Events, rule 3). */
export const DELIVERY_DEADLINE_MS = 3500;

export interface DeliveryRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Withdraws the request when it must not be sent any more, because its subscription was deleted. */
  readonly withdrawal?: Withdrawal;
}

/** The network interface of the worker. A simulation has its own implementation. */
export interface Sender {
  /**
   * Sends one POST. Resolves with every failure of the outside world as an outcome. A rejection is a defect
   * of this program.
   */
  send(request: DeliveryRequest): Promise<Outcome>;
  /**
   * Returns the resource that requests to `endpoint` compete for: `address:port`, or `host:port` while no
   * address is known.
   */
  slotKey(endpoint: string): string;
  /** Closes idle connections. */
  close(): void;
}

type OnPhase = (phase: Phase, refusal?: Exchange) => void;

export interface HttpsSenderParts {
  readonly policy: AddressPolicy;
  /**
   * Calls an endpoint on this machine directly: with http, any port, any certificate (contract section 15).
   */
  readonly localReceivers?: boolean;
  readonly map?: TargetMap;
  /** PEM of the roots to trust in addition to the usual ones (`entrega.ca`). */
  readonly ca?: readonly string[];
  readonly lookup?: Lookup;
  readonly realTime?: RealTime;
  readonly deadlineMs?: number;
  readonly connectionIdleMs?: number;
  /** Called at each phase that a request enters after its name look-up, and again when it is refused. */
  readonly onPhase?: (phase: Phase) => void;
}

/** Limit of addresses of one name that are tried, in order, while each refuses the connection. */
const TARGETS_TRIED_MAX = 4;
/** Limits of the names whose last address `slotKey` uses, and of cached parsed endpoints. */
const SLOT_NAMES_MAX = 10_000;
const DESTINATIONS_MAX = 1000;

export class HttpsSender implements Sender {
  readonly #judge: Judge;
  readonly #localReceivers: boolean;
  readonly #map: TargetMap;
  readonly #lookup: Lookup;
  readonly #realTime: RealTime;
  readonly #deadlineMs: number;
  readonly #onPhase: HttpsSenderParts['onPhase'];
  /**
   * Created for the first delivery, since it costs 20 ms of a start. With extra roots it is created in the
   * constructor, since they may be invalid.
   */
  #secureContext: SecureContext | undefined;
  readonly #connections: Connections;
  readonly #lastTargets = lruCache<string, string>(SLOT_NAMES_MAX);
  readonly #destinations = lruCache<string, Destination>(DESTINATIONS_MAX);

  constructor(parts: HttpsSenderParts) {
    this.#judge = judgeUnder(parts.policy);
    this.#localReceivers = parts.localReceivers ?? false;
    this.#map = parts.map ?? new TargetMap();
    this.#lookup = parts.lookup ?? everyAddress;
    this.#realTime = parts.realTime ?? REAL_TIME;
    this.#deadlineMs = parts.deadlineMs ?? DELIVERY_DEADLINE_MS;
    this.#onPhase = parts.onPhase;
    if (parts.ca !== undefined && parts.ca.length > 0) this.#secureContext = tlsContextWith(parts.ca);
    this.#connections = new Connections(parts.connectionIdleMs ?? CONNECTION_IDLE_MS, this.#realTime);
  }

  send(request: DeliveryRequest): Promise<Outcome> {
    const { endpoint, withdrawal } = request;
    return this.#withDeadline(withdrawal, (deadline, enter) =>
      this.#reach(endpoint, deadline, (destination, target) =>
        this.#deliver(destination, target, request, deadline, enter),
      ),
    );
  }

  /** Checks name, address, connection and certificate as a delivery would, and sends no request. */
  probe(endpoint: string): Promise<Outcome> {
    return this.#withDeadline(undefined, (deadline, enter) =>
      this.#reach(endpoint, deadline, (destination, target) =>
        handshake(this.#dialOf(destination, target), deadline, enter),
      ),
    );
  }

  async #withDeadline(
    withdrawal: Withdrawal | undefined,
    work: (deadline: Deadline, enter: OnPhase) => Promise<End>,
  ): Promise<Outcome> {
    const deadline = new Deadline(this.#deadlineMs, this.#realTime, withdrawal);
    let phase: Phase = 'name';
    let refusal: Exchange | undefined;
    const enter: OnPhase = (next, refused) => {
      phase = next;
      refusal = refused;
      this.#onPhase?.(next);
    };
    try {
      const end = await Promise.race([work(deadline, enter), deadline.cut]);
      const ms = deadline.elapsedMs;
      if (end === 'withdrawn') return { kind: 'withdrawn', ms };
      const isLate = end === 'timeout' || deadline.isOver;
      // A refused request stays refused, even if its response did not arrive completely in time.
      if (isLate && refusal !== undefined) return conclude(refusal, ms);
      if (isLate) return failed({ reason: 'timeout', deadlineMs: deadline.ms }, phase, ms);
      return conclude(end, ms);
    } finally {
      deadline.release();
    }
  }

  slotKey(endpoint: string): string {
    const destination = this.#destinationOf(endpoint);
    if (destination === null) return endpoint;
    const { hostAndPort } = destination;
    const mapped = this.#map.find(hostAndPort);
    if (mapped !== undefined) return `${mapped.address}:${mapped.port}`;
    return this.#lastTargets.get(hostAndPort) ?? hostAndPort;
  }

  close(): void {
    this.#connections.close();
  }

  async #reach(
    endpoint: string,
    deadline: Deadline,
    dial: (destination: Destination, target: Target) => Promise<End>,
  ): Promise<End> {
    const destination = this.#destinationOf(endpoint);
    if (destination === null) return { kind: 'unsendable', code: 'ERR_INVALID_URL' };
    const route = await findRoute(destination, {
      judge: this.#judge,
      map: this.#map,
      lookup: this.#lookup,
    });
    if (route.kind === 'closed') return route;

    const [first, ...others] = route.targets;
    let end = await dial(destination, first);
    for (const target of others.slice(0, TARGETS_TRIED_MAX - 1)) {
      const isConnectionRefused = end.kind === 'broken' && end.phase === 'connection' && !deadline.hasEnded;
      if (!isConnectionRefused) break;
      end = await dial(destination, target);
    }
    return end;
  }

  async #deliver(
    destination: Destination,
    target: Target,
    { headers, body }: DeliveryRequest,
    deadline: Deadline,
    onPhase: OnPhase,
  ): Promise<End> {
    this.#remember(destination, target);
    const { local, authority, path } = destination;
    // Each delivery to a receiver on this machine uses a new connection.
    const isKept = local === undefined;
    const bytes = bytesOf({ path, headers: { host: authority, ...headers }, body, keepsAlive: isKept });
    if (bytes === undefined) return { kind: 'unsendable', code: 'ERR_INVALID_CHAR' };
    const dial = this.#dialOf(destination, target);
    const secrets = secretsOf(headers);
    const send = (connection: Connection): Promise<Exchange> =>
      exchange(connection, {
        bytes,
        secrets,
        deadline,
        onPhase,
        keep: (keptSeconds) =>
          isKept ? this.#connections.keep(dial, connection, keptSeconds) : connection.destroy(),
      });

    const idle = isKept ? this.#connections.take(dial) : undefined;
    const end = idle && (await send(idle));
    // The reused idle connection was reset before any byte of a response: the receiver closed it before it
    // could see this request. It is sent once more, on a new connection, within the same deadline.
    if (end !== undefined && end.kind !== 'stale') return end;
    const connection = await connect(dial, deadline, onPhase);
    return 'kind' in connection ? connection : send(connection);
  }

  /** Dials the checked address itself; the name serves SNI and the certificate (contract section 10). */
  #dialOf({ local, host, isLiteral }: Destination, { address, port }: Target): Dial {
    const target = { address, port, host };
    if (local === 'http') return target;
    const servername = isLiteral ? '' : host;
    // A local receiver belongs to the developer and mostly has a self-made certificate. No third party can
    // intercept the connection.
    if (local === 'https') return { ...target, tls: { servername, rejectUnauthorized: false } };
    // Node checks the certificate for the servername, or else for the dialled address. That is wrong only for
    // an address literal that the map redirects.
    const isCheckedByNode = !isLiteral || host === address;
    const tls = {
      servername,
      secureContext: (this.#secureContext ??= tlsContextWith([])),
      rejectUnauthorized: true, // explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it
    };
    if (isCheckedByNode) return { ...target, tls };
    const checkServerIdentity: typeof checkIdentity = (_, certificate) =>
      nodeTls().checkServerIdentity(host, certificate);
    return { ...target, tls: { ...tls, checkServerIdentity } };
  }

  /** Caches parsed endpoints: the worker uses the same ones again and again. */
  #destinationOf(endpoint: string): Destination | null {
    const cached = this.#destinations.get(endpoint);
    if (cached !== undefined) return cached;
    const destination = destinationOf(endpoint, this.#localReceivers);
    if (destination !== null) this.#destinations.set(endpoint, destination);
    return destination;
  }

  #remember({ hostAndPort }: Destination, target: Target): void {
    this.#lastTargets.set(hostAndPort, `${target.address}:${target.port}`);
  }
}

/** Lists the secrets to mask. A receiver may repeat an authorization without its scheme. */
const secretsOf = ({ secret, authorization }: DeliveryRequest['headers']): readonly string[] =>
  [secret, authorization, authorization?.replace(/^\S+ +/, '')].filter((text) => text !== undefined);

/** The status of a success: no request was sent, so no response came. */
const NO_CONTENT = 204;

/** Connects as a delivery would, checks the certificate, and disconnects. Never rejects. */
async function handshake(
  dial: Dial,
  deadline: Pick<Deadline, 'hasEnded' | 'setCurrentStep'>,
  onPhase: (phase: Phase) => void,
): Promise<Exchange> {
  const connection = await connect(dial, deadline, onPhase);
  if ('kind' in connection) return connection;
  connection.destroy();
  return { kind: 'answered', status: NO_CONTENT };
}
