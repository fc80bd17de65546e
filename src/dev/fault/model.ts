/** What can fail, how, and which ready sets of faults there are (contract section 15). */

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
/** Answers of these never have a body, so that none can carry the error (contract section 15). */
export const BODILESS_STATUSES: readonly number[] = [204, 205, 304];

export type FaultKind = (typeof FAULT_KINDS)[number];

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code?: string; readonly message?: string }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'truncate'; readonly bytes: number }
  | { readonly kind: Exclude<FaultKind, 'status' | 'delay' | 'truncate'> };

export interface ChaosSet {
  /** What a client meets (Portuguese). */
  readonly about: string;
  /** Of each hundred requests that one of the kinds suits, how many fail. */
  readonly percent: number;
  readonly kinds: readonly FaultKind[];
}

/** By name: the one list of them, for the command line, the API, the page and whoever starts an instance. */
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

/** Where nobody names one. */
export const USUAL_SET: ChaosSetName = 'tudo';

/** Faults that are drawn by a seed. */
export interface Chaos {
  readonly seed: string;
  /** `null`: kinds of one's own choice. */
  readonly set: ChaosSetName | null;
  readonly kinds: readonly FaultKind[];
  /** `null`: all of them. */
  readonly operations: readonly string[] | null;
}

/** What a rule looks at; what is `null` is not looked at. */
export interface RuleMatch {
  readonly operation: string | null;
  readonly method: string | null;
  /** Exact, or with `*` at its end. */
  readonly path: string | null;
  readonly cpfCnpjRaiz: string | null;
}

export interface NewRule extends RuleMatch {
  readonly after: number;
  /** `null`: for ever. */
  readonly times: number | null;
  readonly percent: number;
  /** What happens: this … */
  readonly fault?: Fault;
  /** … or what is drawn. */
  readonly chaos?: Chaos;
}

export interface Rule extends NewRule {
  readonly id: number;
  /** How many requests have met this rule, those that it let through included. */
  readonly matched: number;
  readonly acted: number;
}
