/** Converts a fault rule between its form and the request, and describes it. */
import type { FaultRule, LoggedRequest } from '../../api/answers.ts';

export interface FaultKind {
  readonly kind: string;
  readonly label: string;
  /** The fault from the view of the client. */
  readonly about: string;
  /** The value of `X-Simular-Falha` that produces this fault for one request. */
  readonly header: string;
}

export const FAULT_KINDS: readonly FaultKind[] = [
  {
    kind: 'status',
    label: 'Status de erro',
    header: 'status=503',
    about: 'Responde com o status escolhido e o corpo de erro de sempre; nada é feito.',
  },
  {
    kind: 'delay',
    label: 'Demora',
    header: 'delay=2000',
    about: 'Espera antes de atender; depois faz tudo o que foi pedido.',
  },
  {
    kind: 'drop',
    label: 'Conexão cortada',
    header: 'drop',
    about: 'Corta a conexão sem responder; nada é feito.',
  },
  {
    kind: 'truncate',
    label: 'Resposta cortada no meio',
    header: 'truncate=100',
    about: 'Faz o que foi pedido, anuncia o tamanho inteiro e corta a resposta depois de alguns bytes.',
  },
  {
    kind: 'garbage',
    label: 'HTML no lugar de JSON',
    header: 'garbage',
    about: 'Responde 200 com uma página HTML, como um proxy no meio do caminho; nada é feito.',
  },
  {
    kind: 'expired-token',
    label: 'Token expirado',
    header: 'expired-token',
    about: 'Responde 401, como se a sessão tivesse terminado; nada é feito.',
  },
  {
    kind: 'hourly-limit',
    label: 'Limite de acessos por hora',
    header: 'hourly-limit',
    about: 'Responde 422 com o código do limite horário; nada é feito.',
  },
  {
    kind: 'daily-stop',
    label: 'Parada diária',
    header: 'daily-stop',
    about: 'Responde 422 PUCX-ER0401, como o serviço público fora do horário; nada é feito.',
  },
  {
    kind: 'lost-answer',
    label: 'Resposta perdida',
    header: 'lost-answer',
    about: 'Faz e grava o que foi pedido e corta a conexão: o cliente nunca fica sabendo.',
  },
];

export const kindLabel = (kind: string): string =>
  FAULT_KINDS.find((faultKind) => faultKind.kind === kind)?.label ?? kind;

/** The fields as typed. */
export interface RuleValues {
  readonly kind: string;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  readonly ms: string;
  readonly bytes: string;
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly cpfCnpjRaiz: string;
  readonly after: string;
  readonly times: string;
  readonly forever: boolean;
  readonly percent: string;
}

export const NEW_RULE: RuleValues = {
  kind: 'status',
  status: '503',
  code: '',
  message: '',
  ms: '2000',
  bytes: '100',
  operation: '',
  method: '',
  path: '',
  cpfCnpjRaiz: '',
  after: '0',
  times: '1',
  forever: false,
  percent: '100',
};

/** Returns a rule that matches requests like this one. */
export const ruleLike = ({ operation, method, path }: LoggedRequest): RuleValues => ({
  ...NEW_RULE,
  operation: operation ?? '',
  method: METHODS.includes(method) ? method : '',
  path,
});

export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Returns false for the control and health paths of the instance, which faults never affect. */
export const canFail = ({ path }: Pick<LoggedRequest, 'path'>): boolean =>
  !path.startsWith('/appliance/api') && !['/healthz', '/readyz', '/metrics'].includes(path);

export function ruleRequest(values: RuleValues): object {
  const { operation, method, path, cpfCnpjRaiz, after, times, forever, percent } = values;
  return {
    ...filled({ operation, method, path, cpfCnpjRaiz }),
    ...filled({ after: numberOr(after), percent: numberOr(percent) }),
    ...(forever ? { times: null } : filled({ times: numberOr(times) })),
    fault: { kind: values.kind, ...ownOf(values) },
  };
}

function ownOf({ kind, status, code, message, ms, bytes }: RuleValues): object {
  if (kind === 'status') return filled({ status: numberOr(status), code, message });
  if (kind === 'delay') return filled({ ms: numberOr(ms) });
  return kind === 'truncate' ? filled({ bytes: numberOr(bytes) }) : {};
}

/** Returns the number, or the text unchanged: the server then reports the problem at its field. */
const numberOr = (text: string): number | string => {
  const bare = text.trim();
  return /^\d{1,15}$/.test(bare) ? Number(bare) : bare;
};

const filled = (members: Readonly<Record<string, string | number>>): object =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ''));

/** Describes a fault: `Status de erro 503`, `Demora de 2000 ms`, `Sorteio pela semente 7: tudo`. */
export function faultText({ fault, chaos }: Pick<FaultRule, 'fault' | 'chaos'>): string {
  if (chaos !== undefined)
    return `Sorteio pela semente ${chaos.seed}: ${chaos.set ?? chaos.kinds.map(kindLabel).join(', ')}`;
  const { kind = '', status, ms, bytes } = fault ?? {};
  const label = kindLabel(kind);
  if (status !== undefined) return `${label} ${status}`;
  if (ms !== undefined) return `${label} de ${ms} ms`;
  return bytes === undefined ? label : `${label}, depois de ${bytes} bytes`;
}

/** Describes the criteria: `POST /catp/api/*, empresa 12345678`. */
export function criteriaText({ operation, method, path, cpfCnpjRaiz, chaos }: FaultRule): string {
  const where = [method, path].filter((part) => part !== null).join(' ');
  const chaosOperations = chaos?.operations?.join(' ') ?? '';
  const parts = [operation, chaosOperations, where, cpfCnpjRaiz === null ? '' : `empresa ${cpfCnpjRaiz}`];
  return parts.filter((part) => part !== null && part !== '').join(', ') || 'qualquer requisição';
}

/** Describes the repetitions: `uma vez, depois de 2`, `sempre, em 50 %`. */
export function turnsText({ after, times, percent }: FaultRule): string {
  const often = times === null ? 'sempre' : times === 1 ? 'uma vez' : `${times} vezes`;
  const later = after === 0 ? '' : `, depois de deixar passar ${after}`;
  return `${often}${later}${percent === 100 ? '' : `, em ${percent} %`}`;
}
