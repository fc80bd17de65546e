import { momentText } from '../validation/calendar.ts';
import type { Answer } from './script.ts';
import type { Received, SecretVerdict } from './receiver.ts';

const SECRET_HEADERS = ['secret', 'authorization', 'cookie', 'proxy-authorization'];

const VERDICTS: Record<SecretVerdict, string> = {
  matches: 'confere com --secret',
  differs: 'NÃO confere com --secret',
  absent: 'AUSENTE, e --secret foi informado',
  unchecked: '',
};

/** What arrived, as `catp receiver` prints it: secrets masked, everything else as received. */
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
    `→ resposta: ${displayAnswer(answer)}`,
    '',
  ].join('\n');
}

const isSecret = (header: string): boolean => SECRET_HEADERS.includes(header);

function displayAnswer(answer: Answer): string {
  if (answer.kind !== 'status') return answer.kind;
  const { status, bodyBytes, delayMs } = answer;
  return `${status}${bodyBytes ? `, corpo de ${bodyBytes} bytes` : ''}${delayMs ? `, após ${delayMs} ms` : ''}`;
}
