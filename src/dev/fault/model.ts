/** The kinds of faults and the sets of chaos faults (contract section 15). */

/** The header with which a request asks for a fault of its own. */
export const FAULT_HEADER = 'X-Simular-Falha';

export const FAULT_KINDS = [
  'status',
  'delay',
  'drop',
  'truncate',
  'garbage',
  'expired-token',
  'hourly-limit',
  'daily-stop',
  'lost-answer',
] as const;
/** Statuses whose answer never has a body, so it cannot carry the error (contract section 15). */
export const BODILESS_STATUSES: readonly number[] = [204, 205, 304];

export type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code?: string; readonly message?: string }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: Exclude<FaultKind, 'status' | 'delay' | 'truncate'> };

export interface ChaosSet {
  /** The effect that a client sees (Portuguese). */
  readonly about: string;
  /** The percentage of suitable requests that fail. */
  readonly percent: number;
  readonly kinds: readonly FaultKind[];
}

/** The sets by name, for the command line, the API, the pages and the packages that start an instance. */
export const CHAOS_SETS = {
  'respostas-perdidas': {
    about: 'A mudança foi feita e gravada, e a conexão cai antes da resposta.',
    percent: 30,
    kinds: ['lost-answer'],
  },
  'conexao-cortada': {
    about: 'A conexão cai sem resposta, e nada foi feito.',
    percent: 25,
    kinds: ['drop'],
  },
  'resposta-cortada': {
    about: 'O que foi pedido é feito, e a resposta acaba no meio.',
    percent: 25,
    kinds: ['truncate'],
  },
  'pagina-html': {
    about: 'Uma página HTML com status 200, de um proxy no caminho; nada foi feito.',
    percent: 25,
    kinds: ['garbage'],
  },
  'erros-5xx': {
    about: '500, 502, 503 ou 504 no lugar da resposta; nada foi feito.',
    percent: 25,
    kinds: ['status'],
  },
  lentidao: {
    about: 'Até dois segundos de espera, e depois tudo é feito.',
    percent: 30,
    kinds: ['delay'],
  },
  'sessao-vencida': {
    about: '401 no meio do trabalho: é preciso autenticar-se de novo.',
    percent: 15,
    kinds: ['expired-token'],
  },
  'hora-cheia': {
    about: 'O limite de acessos da hora: 422 PUCX-ER1001, com Retry-After.',
    percent: 15,
    kinds: ['hourly-limit'],
  },
  'parada-diaria': {
    about: 'O portal não atende, nem à autenticação: 422 PUCX-ER0401.',
    percent: 15,
    kinds: ['daily-stop'],
  },
  tudo: {
    about: 'Todas as anteriores, misturadas.',
    percent: 25,
    kinds: FAULT_KINDS,
  },
} as const satisfies Readonly<Record<string, ChaosSet>>;

export type ChaosSetName = keyof typeof CHAOS_SETS;

export const CHAOS_SET_NAMES = Object.keys(CHAOS_SETS) as readonly ChaosSetName[];

/** The default set. */
export const DEFAULT_SET: ChaosSetName = 'tudo';

/** Faults drawn from a seed. */
export interface Chaos {
  readonly seed: string;
  /** `null` when the request lists its own kinds. */
  readonly set: ChaosSetName | null;
  readonly kinds: readonly FaultKind[];
  /** `null` means all operations. */
  readonly operations: readonly string[] | null;
}

/** The criteria of a rule. A `null` criterion matches every request. */
export interface RuleMatch {
  readonly operation: string | null;
  readonly method: string | null;
  /** An exact path, or a prefix followed by `*`. */
  readonly path: string | null;
  readonly cpfCnpjRaiz: string | null;
}

export interface NewRule extends RuleMatch {
  readonly after: number;
  /** The number of requests that fail; `null` means no limit. */
  readonly times: number | null;
  readonly percent: number;
  /** The fault to simulate. A rule has either `fault` or `chaos`. */
  readonly fault?: Fault;
  /** The chaos from which faults are drawn. */
  readonly chaos?: Chaos;
}

export interface Rule extends NewRule {
  readonly id: number;
  /** The number of requests that matched, including those that the rule let through. */
  readonly matched: number;
  readonly acted: number;
}
