import { momentText } from '../validation/calendar.ts';
import type { Forwarded } from './forward.ts';
import type { Answer } from './script.ts';
import type { Received, SecretVerdict } from './receiver.ts';

const SECRET_HEADERS = ['secret', 'authorization', 'cookie', 'proxy-authorization'];

const VERDICTS: Record<SecretVerdict, string> = {
  matches: 'confere',
  differs: 'NÃO confere',
  absent: 'AUSENTE, e um é esperado',
  unchecked: '',
};

/**
 * Formats a received request for the output of `catp receiver`. Secrets are masked; everything else is
 * unchanged.
 */
export function display({
  number,
  connection,
  at,
  method,
  path,
  headers,
  body,
  secret,
  answer,
}: Received): string {
  return [
    `#${number} ${momentText(at)} conexão ${connection}`,
    `${method} ${path}`,
    ...Object.entries(headers).map(
      ([name, value]) => `${name}: ${isSecret(name) ? '(oculto)' : String(value)}`,
    ),
    ...(secret === 'unchecked' ? [] : [`→ segredo ${VERDICTS[secret]}`]),
    '',
    body,
    '',
    ...(answer === undefined ? [] : [`→ resposta: ${displayAnswer(answer)}`, '']),
  ].join('\n');
}

const isSecret = (header: string): boolean => SECRET_HEADERS.includes(header);

function displayAnswer(answer: Answer): string {
  if (answer.kind !== 'status') return answer.kind;
  const { status, bodyBytes, delayMs } = answer;
  return `${status}${bodyBytes ? `, corpo de ${bodyBytes} bytes` : ''}${delayMs ? `, após ${delayMs} ms` : ''}`;
}

/** The deadline of a delivery, counted from its start (specification, Events, rule 3). */
const DELIVERY_DEADLINE_MS = 3500;
const BODY_MAX_CHARACTERS = 2000;

/** Formats the answer of the handler at `target` to the request with this number. */
export function displayForwarded(number: number, target: string, forwarded: Forwarded): string {
  const { ms } = forwarded;
  const late =
    ms > DELIVERY_DEADLINE_MS ? `; tarde demais: a entrega só espera ${DELIVERY_DEADLINE_MS} ms` : '';
  if (forwarded.kind === 'unanswered')
    return `→ #${number} ${target} ${forwarded.code === 'HUGE' ? 'respondeu mais de 1 MiB' : `não respondeu (${forwarded.code})`}, após ${ms} ms${late}; respondido 502\n`;
  const body = forwarded.body.toString('utf8').slice(0, BODY_MAX_CHARACTERS);
  return `→ #${number} ${target} respondeu ${forwarded.status} em ${ms} ms${late}\n${body === '' ? '' : `${body}\n`}`;
}
